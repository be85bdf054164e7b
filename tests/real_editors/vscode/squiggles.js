// The text under each wavy line, from where both are drawn: [[severity, line number, text]], in reading order.
() => {
  const editor = document.querySelector('.editor-group-container.active .monaco-editor');
  if (!editor) return [];
  const numbers = [...editor.querySelectorAll('.line-numbers')];
  const lines = [...editor.querySelectorAll('.view-line')];
  const found = [];
  for (const squiggle of editor.querySelectorAll('[class*=squiggly-]')) {
    const box = squiggle.getBoundingClientRect();
    const middle = box.top + box.height / 2;
    const line = lines.find(e => {
      const row = e.getBoundingClientRect();
      return row.top <= middle && middle <= row.bottom;
    });
    if (!line) continue;
    let text = '';
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (let at = 0; at < node.length;) {
        const width = node.data.codePointAt(at) > 0xffff ? 2 : 1;
        const range = document.createRange();
        range.setStart(node, at); range.setEnd(node, at + width);
        const glyph = range.getBoundingClientRect();
        const centre = glyph.left + glyph.width / 2;
        if (box.left <= centre && centre <= box.right) text += node.data.slice(at, at + width);
        at += width;
      }
    }
    const top = line.getBoundingClientRect().top;
    const number = numbers.find(e => Math.abs(e.getBoundingClientRect().top - top) < 3);
    const severity = [...squiggle.classList].find(c => c.startsWith('squiggly-')).slice(9);
    found.push([severity, number ? Number(number.textContent) : 0, text.replaceAll('\u00a0', ' '), box.left]);
  }
  found.sort((a, b) => a[1] - b[1] || a[3] - b[3]);
  return found.map(([severity, line, text]) => [severity, line, text]);
}
