// Plays a film in the browser: what occupies places and what waits, at a moment that runs, is stepped or is dragged.
// Python sends {places, columns, begin, end, unit, unitName, boxes, waiting, lines, lineOf, kinds, colors, label, size}; nothing goes back.

const SECONDS = 24 // of the visitor's time for a whole film at speed 1
const APART = 8 // px between the places of one queue and those of the next
const SPEEDS = [0.25, 0.5, 1, 2, 4]

export default function (component) {
  const { data, parentElement } = component
  const find = name => parentElement.querySelector("." + name)
  const root = find("film")
  if (!root || !data) return
  const canvas = find("stage"), play = find("play"), range = find("time"), clock = find("clock"), speed = find("speed")
  const span = data.end - data.begin
  const moments = data.moments
  let now = data.begin, playing = false, last = null, frame = 0

  const there = (row, begin) => row[begin] <= now && (now < row[begin + 1] || (now >= data.end && row[begin + 1] >= data.end))
  const written = time => `${((time - data.begin) / data.unit).toFixed(data.digits)} ${data.unitName}`

  function draw() {
    const width = root.clientWidth || 600
    const scale = window.devicePixelRatio || 1
    const columns = Math.min(data.columns, data.places), rows = Math.ceil(data.places / columns)
    const text = data.size, line = text * 1.5
    const cell = Math.min(width / columns, data.tall / rows)
    const high = rows * cell + (data.lines.length - 1) * APART, queue = data.queue ? line * (data.lines.length + 1) + 10 : 0
    canvas.style.height = high + queue + 4 + "px"
    canvas.width = width * scale
    canvas.height = (high + queue + 4) * scale
    const pen = canvas.getContext("2d")
    pen.scale(scale, scale)
    pen.font = `${text}px system-ui, sans-serif`
    pen.textBaseline = "middle"
    const gap = cell > 6 ? 1 : 0
    const across = place => (place % columns) * cell
    const down = place => Math.floor(place / columns) * cell + Math.floor((place * data.lines.length) / data.places) * APART
    pen.fillStyle = data.colors.faint
    for (let place = 0; place < data.places; place++) {
      pen.fillRect(across(place), down(place), cell - gap, cell - gap)
    }
    const inPlace = data.boxes.filter(box => there(box, 2))
    for (const [first, end, , , kind, words] of inPlace) {
      pen.fillStyle = data.kinds[kind][1]
      for (let place = first; place <= end; ) {
        const row = Math.floor(place / columns), stop = Math.min(end, (row + 1) * columns - 1)
        const x = across(place), y = down(place), wide = (stop - place + 1) * cell - gap
        pen.fillRect(x, y, wide, cell - gap)
        if (words && cell > line && pen.measureText(words).width < wide - 6) {
          pen.fillStyle = data.colors.paper
          pen.fillText(words, x + 4, y + cell / 2)
          pen.fillStyle = data.kinds[kind][1]
        }
        place = stop + 1
      }
    }
    const waits = data.waiting.filter(one => there(one, 1))
    const longest = Math.max(...data.lines.map(name => pen.measureText(name).width))
    for (const [number, name] of data.queue ? data.lines.entries() : []) {
      const here = waits.filter(one => data.lineOf[one[3]] === number), y = high + line * (number + 1)
      const start = longest ? longest + text : 0
      pen.fillStyle = data.colors.ink
      pen.fillText(name, 0, y)
      pen.fillText(here.length ? `${here.length} ${data.counted[0]}` : data.counted[1], start, y)
      let x = start + Math.max(pen.measureText(`0000 ${data.counted[0]} `).width, pen.measureText(`${data.counted[1]} `).width)
      for (const [size, , , kind] of here) {
        const wide = Math.max(3, Math.min(60, (size / data.places) * 120))
        if (x + wide > width - 12) {
          pen.fillStyle = data.colors.ink
          pen.fillText("…", x, y)
          break
        }
        pen.fillStyle = data.kinds[kind][1]
        pen.fillRect(x, y - text / 2, wide, text)
        x += wide + 2
      }
    }
    range.value = String(now)
    range.setAttribute("aria-valuetext", written(now))
    clock.textContent = written(now)
    play.textContent = playing ? "❚❚" : "▶"
    play.setAttribute("aria-label", playing ? "Pause" : "Play")
    root.dataset.now = String(now)
    root.dataset.boxes = String(inPlace.length)
    root.dataset.waiting = String(waits.length)
    root.dataset.playing = String(playing)
  }

  function tick(stamp) {
    if (!playing) return
    if (last !== null) now = Math.min(data.end, now + ((stamp - last) / 1000 / SECONDS) * span * Number(speed.value))
    last = stamp
    if (now >= data.end) playing = false // it stops by itself
    draw()
    if (playing) frame = requestAnimationFrame(tick)
  }
  const set = on => {
    if (on && now >= data.end) now = data.begin
    playing = on
    last = null
    cancelAnimationFrame(frame)
    draw() // at once, so that the button says what it does before the first frame
    if (on) frame = requestAnimationFrame(tick)
  }
  const go = time => {
    now = Math.min(data.end, Math.max(data.begin, time))
    set(false)
  }
  const step = by => {
    const near = span * 1e-9
    const next = by > 0 ? moments.find(m => m > now + near) : [...moments].reverse().find(m => m < now - near)
    go(next === undefined ? (by > 0 ? data.end : data.begin) : next)
  }

  range.min = data.begin
  range.max = data.end
  range.step = span / 2000
  speed.replaceChildren(...SPEEDS.map(s => new Option(`${s} ×`, s, s === 1, s === 1)))
  canvas.setAttribute("aria-label", data.label)
  root.style.color = data.colors.ink
  root.style.fontSize = data.size + "px"
  find("legend").replaceChildren(
    ...data.kinds.filter(([name], place) => data.kinds.findIndex(kind => kind[0] === name) === place).map(([name, color]) => {
      const item = document.createElement("span"), mark = document.createElement("i")
      mark.style.background = color
      item.append(mark, name)
      return item
    }),
  )
  play.onclick = () => set(!playing)
  find("back").onclick = () => step(-1)
  find("next").onclick = () => step(1)
  range.oninput = () => go(Number(range.value))
  root.onkeydown = event => {
    if (event.target === speed || (event.target === range && event.key !== " ")) return
    const act = { " ": () => set(!playing), ArrowRight: () => step(1), ArrowLeft: () => step(-1) }[event.key]
    if (!act || (event.key === " " && event.target.tagName === "BUTTON")) return
    event.preventDefault()
    act()
  }
  const watch = new ResizeObserver(() => draw())
  watch.observe(root)
  draw()
  return () => {
    playing = false
    cancelAnimationFrame(frame)
    watch.disconnect()
  }
}
