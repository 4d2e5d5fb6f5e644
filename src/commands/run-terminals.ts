import { serveTerminals } from '../modules/terminals/child/serve-terminals.ts'
import { drivers } from '../modules/terminals/drivers.ts'

/** Speaks to terminals for the server that started this child, until its input ends. */
export async function runTerminals(): Promise<void> {
  await serveTerminals(drivers, Bun.stdin.stream(), (message) => {
    process.stdout.write(`${JSON.stringify(message)}\n`)
  })
  process.exit()
}
