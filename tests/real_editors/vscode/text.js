// The rows of text that an editor shows, from the top. A line of a text that wraps has several.
within => {
  const rows = [...document.querySelectorAll(`${within} .view-line`)];
  rows.sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top));
  return rows.map(e => e.textContent.replaceAll('\u00a0', ' '));
}
