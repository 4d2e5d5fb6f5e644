import { join } from 'node:path'
import type { Simulator } from '../modules/terminals/simulator/simulator.ts'
import { openReader } from '../platform/sqlite.ts'
import { must } from './executable.ts'

/** A transfer that was acknowledged. */
export type Made = { id: string; reference: string }

/** How often the terminal booked under each reference. */
const countExecuted = (simulator: Simulator): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { path, executed, parameters } of simulator.journal.entries())
    if (path === '/api/trade/balance' && executed) {
      const reference = String(parameters.comment)
      counts.set(reference, (counts.get(reference) ?? 0) + 1)
    }
  return counts
}

type Ended = { id: string; reference: string; kind: string; state: string; asked: string; sent: number | null }
/** What the terminal did, and our books. */
type Sides = { simulator: Simulator; dataDir: string }
/** Compares our books with what the terminal did; `afterwards` is after a person’s words, when nothing is held. */
export function compare(made: readonly Made[], { simulator, dataDir }: Sides, afterwards: boolean): Ended[] {
  const reader = openReader(join(dataDir, 'brokerbase.db'))
  const all = reader.all<Ended>(
    `SELECT t.id, t.reference, t.kind, t.state, i.state AS asked, i.sent_at AS sent FROM transfers t
     JOIN terminal_instructions i ON i.transfer_id = t.id AND i.tenant_id = t.tenant_id`,
    [],
  )
  const explained = reader.all<{ subject: string }>(
    "SELECT subject FROM terminal_findings WHERE kind = 'reference_unknown'",
    [],
  )
  const [held] = reader.all<{ held: number }>('SELECT sum(held) AS held FROM wallets', [])
  const [ledger] = reader.all<{ sum: number }>('SELECT sum(amount) AS sum FROM ledger_entries', [])
  reader.close()
  const executed = countExecuted(simulator)
  for (const [reference, count] of executed) must(count === 1, `${reference} was executed ${count} times`)
  for (const { reference, state, asked, sent } of all) {
    const was = executed.has(reference)
    const fits = was
      ? state === 'booked'
      : state === 'refused' || (!afterwards && asked === 'unresolved' && sent !== null)
    must(fits, `${reference} is ${state} and ${asked} here, and ${was ? '' : 'not '}executed there`)
  }
  const known = new Set(all.map(({ reference }) => reference))
  const strange = [...executed.keys()].filter((reference) => !known.has(reference))
  const numbers = new Set(explained.map(({ subject }) => subject))
  const deals = [...simulator.engine.state.deals.values()].filter(({ comment }) => strange.includes(comment))
  for (const { id, comment } of deals) must(numbers.has(String(id)), `nobody was told of ${comment}`)
  for (const { reference } of made) must(known.has(reference), `${reference} was acknowledged and is lost`)
  must(ledger?.sum === 0, `the ledger is ${ledger?.sum}`)
  if (afterwards) must(held?.held === 0, `${held?.held} is held still`)
  process.stdout.write(
    `${all.length} transfers here, ${executed.size} executed there, ${all.filter(({ asked }) => asked === 'unresolved').length} unresolved, ` +
      `${strange.length} executed and forgotten with the database that was put back (all told)\n`,
  )
  return all
}
