// Calls Brokerbase: waits where it is told to, repeats safely, reads lists to the end. Node 18 or newer.
// It reads JSON; an export as CSV is read with fetch and answer.text().
const BASE = process.env.BROKERBASE_URL
const KEY = process.env.BROKERBASE_KEY
const TRIES = 5
/** Seconds that one call waits in all while it is told to come later. */
const PATIENCE = 300

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** One request. All tries of a POST carry one Idempotency-Key, so that it is done once however often it is sent. */
export async function call(method, path, { body, ifMatch } = {}) {
  const headers = { 'X-API-Key': KEY }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  if (ifMatch !== undefined) headers['If-Match'] = ifMatch
  if (method === 'POST') headers['Idempotency-Key'] = crypto.randomUUID()
  let waited = 0
  for (let attempt = 1; ; attempt += 1) {
    let answer
    try {
      const signal = AbortSignal.timeout(30_000)
      answer = await fetch(BASE + path, { method, headers, body: body && JSON.stringify(body), signal })
    } catch (error) {
      // no answer: whether it was done is not known, and sending it again finds out
      if (attempt >= TRIES) throw error
      await sleep(2 ** attempt * Math.random())
      continue
    }
    if (answer.status === 204) return null
    if (answer.ok) return answer.json()
    // a proxy in between answers in words of its own
    const problem = await answer.json().catch(() => ({ status: answer.status, detail: answer.statusText }))
    // told to come later: it was not done, and as long as there is patience it is asked again
    const later = [429, 503].includes(answer.status)
    const again = later || [502, 504].includes(answer.status) || problem.code === 'idempotency_in_progress'
    // never all at the same moment: calls that were refused together come back spread, and wider each time
    const wait = (Number(answer.headers.get('Retry-After')) || 1) * (1 + attempt * Math.random())
    waited += wait
    const enough = waited > PATIENCE || (!later && attempt >= TRIES)
    if (!again || enough) throw Object.assign(new Error(problem.detail), { problem })
    await sleep(wait)
  }
}

/** Every row of a list, page by page. */
export async function* all(path) {
  const url = new URL(path, BASE)
  for (;;) {
    const { data, nextCursor } = await call('GET', url.pathname + url.search)
    yield* data
    if (nextCursor == null) return
    url.searchParams.set('cursor', nextCursor)
  }
}

/** Reads a row, changes it, and starts again where somebody was faster. */
export async function change(path, edit) {
  for (let attempt = 1; ; attempt += 1) {
    const row = await call('GET', path)
    try {
      return await call('PATCH', path, { body: edit(row), ifMatch: `"${row.version}"` })
    } catch (error) {
      if (error.problem?.status !== 412 || attempt === TRIES) throw error
    }
  }
}

/**
 * Takes every event after a number, in order; returns the number to go on from the next time. Where events are gone,
 * `readLists` reads everything anew.
 */
export async function catchUp(after, take, readLists) {
  for (;;) {
    let page
    try {
      page = await call('GET', `/v1/events?after=${after}`)
    } catch (error) {
      if (error.problem?.code !== 'events_gone') throw error
      // the number first: what happens while the lists are read comes as an event too, and is not lost
      const { lastSequence } = await call('GET', '/v1/events')
      await readLists()
      after = lastSequence
      continue
    }
    for (const event of page.data) await take(event)
    if (page.nextCursor == null) return page.lastSequence
    after = page.nextCursor
  }
}
