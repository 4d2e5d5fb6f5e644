// A client of Brokerbase: it waits when told to, repeats calls safely, and reads whole lists. Node 18 or newer.
// It reads JSON only; read a CSV export with fetch and answer.text().
const BASE = process.env.BROKERBASE_URL
const KEY = process.env.BROKERBASE_KEY
const TRIES = 5
/** One call waits this many seconds in all if it is told to come later. */
const PATIENCE = 300

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/** Makes one request. All tries of a POST have the same Idempotency-Key, so that it is done only once. */
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
      // without an answer it is unknown whether the request was done; sending it again is safe and finds out
      if (attempt >= TRIES) throw error
      await sleep(2 ** attempt * Math.random())
      continue
    }
    if (answer.status === 204) return null
    if (answer.ok) return answer.json()
    // a proxy in between does not answer in JSON
    const problem = await answer.json().catch(() => ({ status: answer.status, detail: answer.statusText }))
    // these answers mean “come later”: the request was not done, and is sent again within the time limit
    const later = [429, 503].includes(answer.status)
    const again = later || [502, 504].includes(answer.status) || problem.code === 'idempotency_in_progress'
    // calls that were refused together wait for random times, which grow with each try
    const wait = (Number(answer.headers.get('Retry-After')) || 1) * (1 + attempt * Math.random())
    waited += wait
    const enough = waited > PATIENCE || (!later && attempt >= TRIES)
    if (!again || enough) throw Object.assign(new Error(problem.detail), { problem })
    await sleep(wait)
  }
}

/** Yields every row of a list, page by page. */
export async function* all(path) {
  const url = new URL(path, BASE)
  for (;;) {
    const { data, nextCursor } = await call('GET', url.pathname + url.search)
    yield* data
    if (nextCursor == null) return
    url.searchParams.set('cursor', nextCursor)
  }
}

/** Reads a row and changes it; starts again if somebody else changed it meanwhile. */
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
 * Takes every event after a number, in order, and returns the number to continue from next time. If events are no
 * longer kept, `readLists` reads everything again.
 */
export async function catchUp(after, take, readLists) {
  for (;;) {
    let page
    try {
      page = await call('GET', `/v1/events?after=${after}`)
    } catch (error) {
      if (error.problem?.code !== 'events_gone') throw error
      // the number is read before the lists, so that changes during the reading still come as events
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
