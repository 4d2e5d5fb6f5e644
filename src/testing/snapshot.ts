import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const VARIABLE = 'BROKERBASE_UPDATE_SNAPSHOTS'

/** Explains what to do if a committed snapshot differs on purpose. */
export const HOW_TO_UPDATE = `if this change is meant, run the test once with ${VARIABLE}=1 and commit the file`

/** Returns JSON with one line for each entry, so that a difference is readable and the file stays small. */
const formatLines = (entries: object): string =>
  `{\n${Object.entries(entries)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')}\n}\n`

/** Returns the committed JSON of a snapshot; if the variable is set, writes `actual` into the file first. */
export function readSnapshot(path: string, actual: object): unknown {
  if (process.env[VARIABLE] === '1') writeFileSync(path, formatLines(actual))
  if (!existsSync(path)) throw new Error(`${path} is missing; ${HOW_TO_UPDATE}`)
  const committed: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return committed
}
