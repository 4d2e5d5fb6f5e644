import type { Answer, Caller } from '../testing/app.ts'
import { SHOWN_AT } from './field-values.ts'
import type { Route } from './routes.ts'
import type { Sample } from './sample.ts'
import { send } from './samples.ts'
import type { Place } from './seed-firm.ts'

/** The values of everything that can be read after a request, by path: answer, row, audit entries and events. */
type Seen = ReadonlyMap<string, unknown>
export type Run = { sample: Sample; answer: Answer; seen: Seen }

/** Returns the leaves of a JSON value with their paths. */
function listLeaves(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => listLeaves(inner, `${path}/${key}`))
}

/** Returns the path at which the row that a request changed or made can be read. */
function readPath({ path, operationId, method }: Route, sample: Sample, answer: Answer, reads: ReadonlySet<string>) {
  const own = SHOWN_AT[operationId]
  if (own) return own(sample.body)
  const [row = ''] = /^.*?:\w+/.exec(path) ?? []
  if (reads.has(row)) return sample.path.split('/').slice(0, row.split('/').length).join('/')
  const id: unknown = answer.body?.id
  if (id !== undefined && reads.has(`${path}/:id`)) return `${path}/${id}`
  return method !== 'POST' && reads.has(path) ? path : undefined
}

/** Reads the audit entries and events of the firm since a number, and the entries of a firm that was founded. */
const ENTRIES = `SELECT 'audit/' || action || '/' || entity AS name, after AS body FROM audit
  JOIN audit_data USING (tenant_id, seq)`
const WRITTEN = `${ENTRIES} WHERE tenant_id = ?1 AND seq > ?2 UNION ALL ${ENTRIES} WHERE tenant_id = ?4
  UNION ALL SELECT 'event/' || event, body FROM events WHERE tenant_id = ?1 AND sequence > ?3`
const LAST = `SELECT (SELECT max(seq) FROM audit WHERE tenant_id = ?1) AS entry,
  (SELECT max(sequence) FROM events WHERE tenant_id = ?1) AS event`

/** Sends a request and reads everything that may show what it did. */
export async function observe(
  route: Route,
  place: Place,
  sample: Sample,
  { as, reads }: { as: Caller; reads: ReadonlySet<string> },
): Promise<Run> {
  const { firm, app } = place
  const { reader } = app.platform
  const last = reader.get<{ entry: number; event: number }>(LAST, [firm.tenantId])
  const answer = await send(route, place, sample, route.role === 'public' ? {} : { as })
  if (answer.status >= 300) return { sample, answer, seen: new Map() }
  const path = readPath(route, sample, answer, reads)
  const read = path === undefined ? null : await app.call('GET', path, { as: firm.as.platform_admin })
  const seen = new Map(listLeaves({ answer: answer.body ?? answer.text, read: read?.body }))
  const made: unknown = answer.body?.id
  const written = reader.all<{ name: string; body: string | null }>(WRITTEN, [
    firm.tenantId,
    last?.entry ?? 0,
    last?.event ?? 0,
    typeof made === 'string' && made !== firm.tenantId ? made : '',
  ])
  const counts = new Map<string, number>()
  for (const { name, body } of written) {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    for (const [at, value] of listLeaves(JSON.parse(body ?? 'null'), `/${name}/${count}`)) seen.set(at, value)
  }
  return { sample, answer, seen }
}

const isNumeric = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && Number.isFinite(Number(value))
/** Two amounts such as `12.5` and `12.50` are equal. */
const isSame = (a: unknown, b: unknown): boolean => a === b || (isNumeric(a) && isNumeric(b) && Number(a) === Number(b))
/** Returns whether a path belongs to a field of this name: `note`, or `decisionNote`. */
const isNamed = (path: string, name: string): boolean =>
  path.split('/').some((key) => key === name || key.endsWith(name.charAt(0).toUpperCase() + name.slice(1)))

/** Returns the paths that differ between runs of one request: ids, and values that each sample makes anew. */
export const findNoise = (a: Seen, b: Seen): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((path) => !isSame(a.get(path), b.get(path)))

/** A long text is not found by chance, so it may also be a part of a value, such as a file's key in its address. */
const holds = (value: unknown, sent: unknown): boolean =>
  isSame(value, sent) ||
  (typeof value === 'string' && typeof sent === 'string' && sent.length > 8 && value.includes(sent))

/** Returns whether each of two runs shows its own value and not the other's, at the same path with the field's name. */
export const isShown = (name: string, [first, second]: [unknown, unknown], [a, b]: [Seen, Seen]): boolean =>
  typeof first === 'string' &&
  first !== second &&
  [...a].some(([path, value]) => isNamed(path, name) && holds(value, first) && holds(b.get(path), second))

/**
 * Returns whether a changed field has a visible effect. A long text may be found anywhere. Another value must make a
 * difference at a path with the field's name or, if there is no such path, any difference that is no noise.
 */
export function shows(name: string, value: unknown, [a, b]: [Seen, Seen], noise: ReadonlySet<string>): boolean {
  const sent = listLeaves(value).flatMap(([, leaf]) => (leaf === undefined || leaf === null ? [] : [leaf]))
  const before = [...a.values()]
  const own = [...a.keys(), ...b.keys()].filter((path) => isNamed(path, name))
  const isUnique = sent.some(
    (leaf) => typeof leaf === 'string' && leaf.length > 5 && !before.some((one) => holds(one, leaf)),
  )
  return findNoise(a, b).some((path) => {
    const wasSent = sent.some((leaf) => holds(b.get(path), leaf))
    if (isUnique && wasSent) return true
    return own.length === 0 ? !noise.has(path) : isNamed(path, name) && (!noise.has(path) || wasSent)
  })
}
