// Plays films in the browser: what occupies places and what waits, at a moment that runs, is stepped or is dragged.
// Python sends {films, size}, a film being {name, places, columns, end, unit, unitName, boxes, waiting, moments,
// curves, counts, mark, lines, lineOf, boards, kinds, wordsOf, inks, faint, label, plays, follows}, its times counted from its beginning; nothing goes back. All films of a player
// stand on stages side by side and share one clock; a film that has ended stays at its end. What is sent beside them:
// {clock, at, ask, plays}: with the clock's name of before a film goes on at the moment, the speed and in the state (playing or
// not) in which it was when new data came; else it begins at `at`. `ask`: the first press of Play is told to Python.
// `follows`: with this name the last of each line is followed from a press on (on "Join the line" or the film) until it starts.
// `plays`: nothing can be pressed; the film starts or pauses whenever this number has grown.

const SECONDS = 24 // of the visitor's time for a whole film at speed 1
const APART = 8 // px between the places of one queue and those of the next
const SPEEDS = [0.25, 0.5, 1, 2, 4]

// A film that is sent as the jobs of one queue, [servers, arrivals, starts, ends] in ticks: its boxes, its line, the
// line's length over time beside that of a `ghost` ([arrivals, starts]), and its moments.
function unfolded(film) {
  if (!film.jobs) return film
  const [lanes, arrivals, starts, ends] = film.jobs, { each, tick } = film, last = film.end / tick
  const jobs = lanes.map((lane, at) => [lane, Math.max(0, arrivals[at]) * tick, Math.max(0, starts[at]) * tick, Math.min(last, ends[at]) * tick, film.numbers[at]])
  const boxes = jobs.filter(([lane]) => lane >= 0).map(([lane, , start, end, name]) => [lane * each, (lane + 1) * each - 1, start, end, 1, each > 4 ? `job ${name}` : ""])
  const waiting = jobs.filter(([, come, start]) => start > come).map(([, come, start]) => [each, come, start, 0])
  const line = pairs => {
    const steps = pairs.flatMap(([come, start]) => [[come, 1], [start, -1]]).sort((one, other) => one[0] - other[0])
    const points = [[0, 0]]
    let level = 0
    for (const [time, step] of steps) {
      level += step
      if (points.at(-1)[0] === time) points.at(-1)[1] = level
      else points.push([time, level])
    }
    return points
  }
  const curves = [[film.names[0], film.colors[0], line(waiting.map(([, come, start]) => [come, start]))]]
  if (film.ghost) curves.unshift([film.names[1], film.colors[1], line(film.ghost[0].map((come, at) => [come * tick, film.ghost[1][at] * tick]))])
  const moments = [...new Set([0, film.end, ...jobs.flatMap(([, come, start, end]) => [come, start, end])])].filter(time => time >= 0 && time <= film.end)
  return { counts: "", queue: true, lines: [""], lineOf: [0, 0], counted: ["waiting", "nobody waits"], compact: true, name: "", ...film, boxes, waiting, curves, moments }
}

// Build a film's stage and return what draws it at a moment.
function staged(film, place, many, size) {
  const make = (tag, parent) => parent.appendChild(document.createElement(tag))
  const box = make("div", place), head = many || film.title ? make("div", box) : null, canvas = make("canvas", box)
  const legend = make("div", box)
  canvas.className = "stage"
  if (head) head.className = "name"
  if (film.title) head.textContent = film.title
  canvas.setAttribute("role", "img")
  canvas.setAttribute("aria-label", film.label)
  legend.className = "legend"
  place.parentElement.classList.toggle("compact", !!(film.compact || film.boards))
  if (film.compact) legend.remove()
  const once = film.kinds.filter(([name], at) => film.kinds.findIndex(kind => kind[0] === name) === at)
  for (const [name, color, points] of [...once, ...film.curves]) {
    const item = make("span", legend), mark = make("i", item)
    mark.style.background = color
    mark.className = points ? "line" : ""
    item.append(name)
  }
  const top = film.top || Math.max(0, ...film.curves.flatMap(([, , points]) => points.map(([, value]) => value)))
  const worth = (points, now) => points.findLast(([since]) => since <= now)[1]

  // Draw the curves into a strip: what has been is strong, what comes is faint.
  function curves(pen, ink, now, width, low, high) {
    const x = time => (time / film.end) * width, y = value => low + high - 1 - (top && (Math.min(value, top) / top) * (high - 2))
    pen.lineWidth = 2
    for (const [, color, points] of film.curves) {
      pen.strokeStyle = color
      for (const [from, until, alpha] of [[0, now, 1], [now, film.end, 0.35]]) {
        let level = worth(points, from)
        pen.globalAlpha = alpha
        pen.beginPath()
        pen.moveTo(x(from), y(level))
        for (const [since, value] of points.filter(([since]) => since > from && since <= until)) {
          pen.lineTo(x(since), y(level))
          pen.lineTo(x(since), y((level = value)))
        }
        pen.lineTo(x(until), y(level))
        pen.stroke()
      }
    }
    pen.globalAlpha = 1
    pen.fillStyle = ink
    pen.fillRect(Math.min(x(now), width - 1), low, 1, high)
  }
  return time => {
    const now = Math.min(time, film.end)
    const there = (row, begin) => row[begin] <= now && (now < row[begin + 1] || (now >= film.end && row[begin + 1] >= film.end))
    const width = box.clientWidth || 600
    const scale = (window.devicePixelRatio || 1) * (box.currentCSSZoom || 1)
    const columns = Math.min(film.columns, film.places), rows = Math.ceil(film.places / columns)
    const line = size * 1.5
    const cell = film.compact || film.boards ? width / columns : Math.min(width / columns, film.tall / rows)
    // High enough for words where there is room; of one height however many rows, so that nothing below moves.
    const headline = film.boards ? line * 1.5 : 0 // over each board: its name and its queue
    const usual = film.compact ? film.tall / rows : Math.min(film.tall / rows, Math.max(cell, line * 1.15))
    const row = film.boards ? (film.tall - headline * film.lines.length) / rows : usual // as high with one board as with two
    const high = rows * row + (film.boards ? headline * film.lines.length : (film.lines.length - 1) * APART)
    const queue = film.queue && !film.boards ? line * (film.lines.length + 0.5) + 4 : 0
    const strip = film.curves.length ? line * (film.compact ? 4.6 : 5) : 0
    canvas.style.height = high + strip + queue + 4 + "px"
    canvas.width = width * scale
    canvas.height = (high + strip + queue + 4) * scale
    const pen = canvas.getContext("2d"), ink = getComputedStyle(box).color // the page's own, whatever theme it has since
    pen.scale(scale, scale)
    pen.font = `${size}px system-ui, sans-serif`
    pen.textBaseline = "middle"
    const gap = cell > 6 && row > 6 ? 1 : 0
    const across = place => (place % columns) * cell
    const down = place => {
      const board = Math.floor((place * film.lines.length) / film.places)
      return Math.floor(place / columns) * row + (film.boards ? (board + 1) * headline : board * APART)
    }
    pen.fillStyle = film.faint
    for (let place = 0; film.boards && place < film.places; place += columns) pen.fillRect(0, down(place), width, row)
    for (let place = 0; !film.boards && place < film.places; place++) {
      pen.fillRect(across(place), down(place), cell - gap, row - gap)
    }
    const started = (film.followed || []).filter(one => one && one[2] <= now)
    const isMine = ([, , start, , kind]) => started.some(one => one[2] === start && film.lineOf[one[3]] === film.lineOf[kind])
    const inPlace = film.boxes.filter(box => there(box, 2))
    for (const [at, [first, end, , , kind, words]] of inPlace.entries()) {
      pen.fillStyle = film.kinds[kind][1]
      for (let place = first; place <= end; ) {
        const stop = Math.min(end, (Math.floor(place / columns) + 1) * columns - 1)
        const x = across(place), y = down(place), wide = (stop - place + 1) * cell - (film.boards ? 1 : gap)
        pen.fillRect(x, y, wide, row - gap)
        if (film.followed && isMine(inPlace[at])) {
          pen.strokeStyle = ink
          pen.lineWidth = 3
          pen.strokeRect(x + 1.5, y + 1.5, wide - 3, row - gap - 3)
        }
        if (words && row > line && pen.measureText(words).width < wide - 6) {
          pen.fillStyle = film.inks[kind]
          pen.fillText(words, x + 4, y + row / 2)
          pen.fillStyle = film.kinds[kind][1]
        }
        place = stop + 1
      }
    }
    const below = film.compact ? high + queue : high // where the strip begins
    const values = film.curves.map(([name, , points]) => [name, worth(points, now)])
    if (strip) {
      const low = below + line * (film.compact ? 1.2 : 1.7), tall = line * 3.2
      if (film.compact) {
        pen.fillStyle = film.faint
        pen.fillRect(0, low + tall - 1, width, 1)
      }
      curves(pen, ink, now, width, low, tall)
      pen.fillStyle = ink
      if (!film.compact) pen.fillText(`${values.map(([name, value]) => `${name} ${Number(value.toPrecision(3))}`).join(", ")} ${film.counts}`, 0, high + line)
      else if (values.length > 1) {
        pen.fillStyle = film.curves[0][1]
        pen.fillText(`${values[0][0]}: ${Number(values[0][1])} waiting`, 0, low - line * 0.5)
      }
      const next = film.compact && film.jobs[1].findIndex(come => come * film.tick >= now)
      if (film.compact && next >= 0) {
        const wait = Math.max(0, film.jobs[2][next] - film.jobs[1][next]) * film.tick / film.unit
        pen.fillStyle = ink
        pen.textAlign = "right"
        const long = wait < 0.05 ? `under 0.1 ${film.unitName}` : `${wait.toFixed(1)} ${film.unitName}`
        pen.fillText(wait ? `the next job waits ${long}` : "the next job starts right away", width, low - line * 0.5)
        pen.textAlign = "left"
      }
    }
    const waits = film.waiting.filter(one => there(one, 1))
    const longest = Math.max(...film.lines.map(name => pen.measureText(name).width))
    const dots = pen.measureText("…").width
    for (const [number, name] of film.queue ? film.lines.entries() : []) {
      const here = waits.filter(one => film.lineOf[one[3]] === number), board = number * (headline + (rows * row) / film.lines.length)
      const y = film.boards ? board + headline * 0.45 : high + (film.compact ? 0 : strip) + line * (number + 1)
      const start = longest ? longest + size : 0
      pen.fillStyle = ink
      pen.fillText(name, 0, y)
      pen.fillText(here.length ? `${here.length} ${film.counted[0]}` : film.counted[1], start, y)
      let x = start + Math.max(pen.measureText(`0000 ${film.counted[0]} `).width, pen.measureText(`${film.counted[1]} `).width)
      const mine = film.followed?.[number]
      if (mine) {
        const ahead = here.indexOf(mine), waited = written(film, Math.min(now, mine[2]) - mine[1])
        const how = ahead < 0 ? `started after ${waited}` : ahead ? `${ahead} ahead of it` : "is next"
        pen.fillStyle = ink
        pen.font = `bold ${size}px system-ui, sans-serif`
        pen.textAlign = "right"
        pen.fillText(width < 480 ? how : `${film.follows}: ${how}`, width, y)
        pen.textAlign = "left"
        pen.font = `${size}px system-ui, sans-serif`
      }
      const room = width - dots - (mine ? size * (width < 480 ? 11 : 16) : 0)
      for (const waiter of here) {
        const [size, , , kind] = waiter
        const wide = Math.max(3, Math.min(60, (size / film.places) * film.mark))
        if (x + wide + 2 > room) {
          pen.fillStyle = ink
          pen.fillText("…", x, y)
          break
        }
        pen.fillStyle = waiter === mine ? ink : film.kinds[kind][1]
        pen.fillRect(x, y - line / 3, wide, (line * 2) / 3)
        x += wide + 2
        const words = film.wordsOf?.[kind]
        if (words) {
          pen.fillStyle = ink
          pen.fillText(words, x + 2, y)
          x += pen.measureText(words).width + 8
        }
      }
    }
    if (head && many) head.textContent = time > film.end ? `${film.name} (ended after ${written(film, film.end)})` : film.name
    canvas.dataset.now = String(now)
    canvas.dataset.boxes = String(inPlace.length)
    canvas.dataset.waiting = String(waits.length)
    canvas.dataset.values = JSON.stringify(Object.fromEntries(values))
  }
}

const written = (film, time) => `${(time / film.unit).toFixed(film.digits)} ${film.unitName}`

export default function (component) {
  const { parentElement, setTriggerValue } = component
  const data = component.data instanceof Uint8Array ? JSON.parse(new TextDecoder().decode(component.data)) : component.data
  const find = name => parentElement.querySelector("." + name)
  const root = find("film")
  if (!root || !data) return
  const sent = data.clock || JSON.stringify(data.films) // a film that is sent again unchanged goes on, too
  const held = root.clock?.name === sent ? root.clock : null
  root.end?.() // of what was sent before: a film that was playing does not play on behind the new one
  const play = find("play"), range = find("time"), clock = find("clock"), speed = find("speed")
  const films = data.films.map(unfolded), end = Math.max(...films.map(film => film.end))
  const moments = [...new Set(films.flatMap(film => film.moments))].sort((one, other) => one - other)
  let now = held ? held.now : data.at || 0, playing = false, last = null, frame = 0
  let told = !data.ask
  root.style.fontSize = data.size + "px"
  find("stages").replaceChildren()
  const stages = films.map(film => staged(film, find("stages"), films.length > 1, data.size))

  function draw() {
    stages.forEach(stage => stage(now))
    range.value = String(now)
    range.setAttribute("aria-valuetext", written(films[0], now))
    clock.textContent = written(films[0], now)
    play.textContent = playing ? "❚❚" : "▶"
    play.setAttribute("aria-label", playing ? "Pause" : "Play")
    root.dataset.now = String(now)
    root.dataset.playing = String(playing)
    root.clock = { name: sent, now, playing, speed: speed.value }
  }

  function tick(stamp) {
    if (!playing) return
    if (last !== null) now = Math.min(end, now + ((stamp - last) / 1000 / SECONDS) * end * Number(speed.value))
    last = stamp
    if (now >= end) playing = false // it stops by itself
    draw()
    if (playing) frame = requestAnimationFrame(tick)
  }
  const set = on => {
    if (on && now >= end) now = 0
    playing = on
    last = null
    cancelAnimationFrame(frame)
    draw() // at once, so that the button says what it does before the first frame
    if (on) frame = requestAnimationFrame(tick)
  }
  const go = time => {
    now = Math.min(end, Math.max(0, time))
    set(false)
  }
  const step = by => {
    const near = end * 1e-9
    const next = by > 0 ? moments.find(m => m > now + near) : [...moments].reverse().find(m => m < now - near)
    go(next === undefined ? (by > 0 ? end : 0) : next)
  }

  range.min = 0
  range.max = end
  range.step = end / 2000
  speed.replaceChildren(...SPEEDS.map(s => new Option(`${s} ×`, s, s === 1, s === 1)))
  if (held) speed.value = held.speed
  const press = () => {
    set(!playing)
    if (playing && !told) setTriggerValue("played", (told = true))
  }
  play.onclick = press
  // The last in each line; where nobody waits, the next that will have to.
  const join = () => {
    if (now >= end) now = 0
    for (const film of films.filter(one => one.follows)) {
      film.followed = film.lines.map((_, number) => {
        const mine = film.waiting.filter(one => film.lineOf[one[3]] === number && one[2] < film.end)
        const here = mine.filter(one => one[1] <= now && now < one[2])
        return here.length ? here.reduce((last, one) => (one[1] >= last[1] ? one : last)) : mine.find(one => one[1] > now)
      })
    }
    playing = false
    press()
  }
  const joins = find("join")
  joins.hidden = !films.some(film => film.follows)
  joins.onclick = join
  if (!joins.hidden) find("stages").onclick = join
  find("back").onclick = () => step(-1)
  find("next").onclick = () => step(1)
  range.oninput = () => go(Number(range.value))
  root.onkeydown = event => {
    if (event.target === speed || (event.target === range && event.key !== " ")) return
    const act = { " ": press, ArrowRight: () => step(1), ArrowLeft: () => step(-1) }[event.key]
    if (!act || (event.key === " " && event.target.tagName === "BUTTON")) return
    event.preventDefault()
    act()
  }
  const asked = data.plays > root.plays // started or paused from elsewhere
  root.plays = data.plays
  root.classList.toggle("performed", data.plays !== undefined)
  const watch = new ResizeObserver(() => draw())
  watch.observe(root)
  draw()
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches
  if (held ? held.playing : !still && films.some(film => film.plays)) set(true)
  if (asked) press()
  root.end = () => {
    playing = false
    cancelAnimationFrame(frame)
    watch.disconnect()
  }
  return root.end
}
