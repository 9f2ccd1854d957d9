// A visitor's hand on a chart. While a handle is held, what the page says of the place before is marked
// (`data-old`), and the style sheet dims it until the server has answered. Until a handle was moved once, the
// style sheet shows hints beside the marks that can be moved; they blink until the first turn of a slider.

const HANDLES = ".grab_marks, .dot_marks, .levels_marks"
const CHART = "[data-testid=stVegaLiteChart]"
const OLD = `[data-testid=stMetric], ${CHART}, [data-testid=stBidiComponentIsolated]`
// A verdict begins with its icon.
const ICON = ":scope > [role=img]:first-child, :scope > .stMarkdownColoredText:first-child > [role=img]:first-child"
const MOVED = "fleet-what-if:moved" // outside of what the visitor's record keeps: nothing of it is an answer
const LONGEST = 2000 // ms that numbers stay dimmed after the hand is gone
const POINTED = ".pointed_marks" // of a picture that follows the handle of the chart beside it
const SLIDER = "[role=slider], input[type=range]"
let ends = null

// A chart is drawn anew at every turn, and a blinking hint would then delay every drawing.
function turned(event) {
  if (event.target.closest?.(SLIDER)) document.documentElement.dataset.turned = ""
}

// Vega keeps each mark's item on its element, and an item knows its view; null where a later Vega does not.
function viewOf(chart) {
  const items = [...chart.querySelectorAll("svg .role-mark > *")].map(part => part.__data__)
  return items.map(item => item?.mark?.group?.context?.dataflow).find(view => view?.signal) ?? null
}

// Let the pictures beside a chart follow its handle; returns what ends that.
function relay(chart, pictures) {
  const source = viewOf(chart)
  const views = pictures.map(viewOf)
  if (!source || !views.length || views.includes(null)) return null
  const show = place => views.forEach(view => view.signal("pointed", place).runAsync())
  const tell = (name, held) => show(held.at ?? null)
  source.addSignalListener("held", tell)
  return () => {
    source.removeSignalListener("held", tell)
    show(null)
  }
}

function wasMoved() {
  document.documentElement.dataset.moved = ""
  try {
    window.localStorage.setItem(MOVED, "1")
  } catch (error) {
    return // private mode or blocked: the hint comes back with the next visit
  }
}

function down(event) {
  const chart = event.target.closest?.(HANDLES)?.closest(CHART)
  // A finger scrolls, unless it is on a dot.
  if (!chart || (event.pointerType !== "mouse" && !event.target.closest(".dot_marks"))) return
  ends?.()
  const pictures = [...document.querySelectorAll(CHART)].filter(part => part !== chart && part.querySelector(POINTED))
  const stopRelay = relay(chart, pictures)
  const current = stopRelay ? [chart, ...pictures] : [chart]
  const old = [...document.querySelectorAll(OLD)].filter(part => !current.includes(part))
  const sentences = [...document.querySelectorAll("[data-testid=stMain] [data-testid=stMarkdown] p")]
  old.push(...sentences.filter(part => part.querySelector(ICON)))
  if (!chart.querySelector("[class*=follows_], .levels_marks")) chart.dataset.still = ""
  for (const part of old) part.dataset.old = ""
  ends = () => {
    for (const part of old) delete part.dataset.old
    delete chart.dataset.still
    stopRelay?.()
    ends = null
  }
}

function up(event) {
  if (event.target.closest?.(HANDLES) || ends) wasMoved()
  if (!ends) return
  const app = document.querySelector("[data-testid=stApp]")
  let began = false
  const watch = new MutationObserver(() => {
    const running = app.dataset.testScriptState === "running"
    if (began && !running) over()
    began ||= running
  })
  const mine = ends
  const over = () => {
    watch.disconnect()
    if (ends === mine) ends()
  }
  watch.observe(app, { attributeFilter: ["data-test-script-state"] })
  setTimeout(over, LONGEST)
}

if (!window.fleetWhatIfHand) {
  window.fleetWhatIfHand = true
  try {
    if (window.localStorage.getItem(MOVED)) document.documentElement.dataset.moved = ""
  } catch (error) {
    // As above.
  }
  document.addEventListener("pointerdown", down, { capture: true, passive: true })
  document.addEventListener("pointerup", up, { capture: true, passive: true })
  document.addEventListener("keydown", turned, { capture: true, passive: true })
  document.addEventListener("pointerdown", turned, { capture: true, passive: true })
  document.addEventListener("pointercancel", () => ends?.(), { capture: true, passive: true })
}
