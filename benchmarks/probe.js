(() => {
  const probe = window.probe = {key: 0, metric: 0, chart: 0, before: ""};
  const words = () => [...document.querySelectorAll('[data-testid=stMetricValue]')].map(n => n.textContent).join('|');
  document.addEventListener('keydown', event => {
    if (event.key.startsWith('Arrow')) {
      Object.assign(probe, {key: performance.now(), metric: 0, chart: 0, before: words()});
    }
  }, true);
  new MutationObserver(changes => {
    if (probe.key && !probe.metric && words() !== probe.before) probe.metric = performance.now();
    if (changes.some(c => c.target.closest && c.target.closest('[data-testid=stVegaLiteChart] svg'))) {
      probe.chart = performance.now();
    }
  }).observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
  const clear = CanvasRenderingContext2D.prototype.clearRect;
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    if (this.canvas.closest && this.canvas.closest('[data-testid=stVegaLiteChart]')) probe.chart = performance.now();
    return clear.apply(this, box);
  };
})();
