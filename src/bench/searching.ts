import type { Dataset } from './dataset.ts'
import { median } from './rounds.ts'

/** The result of searches of one kind; the client measures milliseconds over a kept connection. */
type SearchFigure = {
  label: string
  path: string
  hits: number
  median: number
  worst: number
  limit: number
  refused: string
}

const WARM = 3
const TIMES = 31
const SEARCH_MS = 20
const SUMMARY_MS = 2

type Client = { id: string; email: string; phone: string; firstName: string; lastName: string }

/** Returns the texts that people type to find a client of the data set. */
function listQuestions({ id, email, phone, firstName, lastName }: Client): [label: string, text: string][] {
  const digits = phone.slice(1)
  return [
    ['last four digits', digits.slice(-4)],
    ['four digits that all numbers share', digits.slice(1, 5)],
    ['four digits in the middle', digits.slice(-7, -3)],
    ['the last seven digits', digits.slice(-7)],
    ['the number with 00', `00${digits}`],
    [
      'the number with signs',
      `+${digits.slice(0, 2)} (${digits.slice(2, 5)}) ${digits.slice(5, 8)}-${digits.slice(8)}`,
    ],
    ['digits that nobody has', '00000000'],
    ['a common first name', firstName],
    ['the beginning of a common first name', firstName.slice(0, 4)],
    ['a common first and last name', `${firstName} ${lastName}`],
    ['a common name and one that nobody has', `${firstName} bauxite`],
    ['an e-mail address', email],
    ['an e-mail address that nobody has', email.replace('@', '99999@')],
    ['what all e-mail addresses share', 'example'],
    ['the beginning of what all share', 'exampl'],
    ...['Müller', 'mueller', 'muller', 'ＭＵＬＬＥＲ', 'Łukasz', 'lukasz', 'lukasz mueller', 'joergens'].map(
      (text): [string, string] => [`a common name, spelled ${text}`, text],
    ),
    ['an id', id],
    ['an account number', '50001234'],
    ['a payment reference', 'PAY-1200'],
  ]
}

/** Measures each way of searching, and the counts of waiting work, on a firm as large as the data set's. */
export async function measureSearch(set: Dataset, port: number): Promise<SearchFigure[]> {
  const base = `http://127.0.0.1:${port}`
  const headers = { cookie: `crm_session=${set.token}` }
  const ask = async (path: string) => {
    const answer = await fetch(base + path, { headers })
    return { status: answer.status, body: await answer.json() }
  }
  const measure = async (label: string, path: string, limit: number): Promise<SearchFigure> => {
    const taken: number[] = []
    let hits = 0
    for (let time = -WARM; time < TIMES; time += 1) {
      const started = performance.now()
      const { status, body } = await ask(path)
      if (time >= 0) taken.push(performance.now() - started)
      if (status !== 200) return { label, path, hits: 0, median: 0, worst: 0, limit, refused: String(status) }
      hits = Array.isArray(body.data) ? body.data.length : 0
    }
    return { label, path, hits, median: median(taken), worst: Math.max(...taken), limit, refused: '' }
  }
  const id = set.traderIds[Math.floor(set.traderIds.length / 3)] ?? ''
  const { status, body: client } = await ask(`/v1/traders/${id}`)
  if (status !== 200) throw new Error(`a client of the data set answered ${status}`)
  const figures: SearchFigure[] = []
  for (const [label, text] of listQuestions(client))
    figures.push(await measure(label, `/v1/search?q=${encodeURIComponent(text)}`, SEARCH_MS))
  for (const [label, text] of listQuestions(client).filter(([one]) => one.includes('name')))
    figures.push(await measure(`in the list: ${label}`, `/v1/traders?q=${encodeURIComponent(text)}`, SEARCH_MS))
  figures.push(await measure('counts of what waits', '/v1/admin/notifications/summary', SUMMARY_MS))
  return figures
}
