// The lines that the editor shows.
() => {
  const lines = [...document.querySelectorAll('.editor-group-container.active .monaco-editor .view-lines .view-line')];
  lines.sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top));
  return lines.map(e => e.textContent.replaceAll('\u00a0', ' ')).join('\n');
}
