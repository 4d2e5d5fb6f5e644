import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTestApp } from '../app.ts'
import { speakToDesks } from './trading-desk.ts'
import { type Found, walk } from './walk.ts'

/**
 * Looks for a way in which one dishonest owner, admin, manager, operator or key, with any number of clients, mailboxes
 * and a trading server that lies, gets money that needs a second person: it makes random walks through the real
 * application. `--walks N` (20,000), `--acts N` (30), `--seed N`; ends with 1 at the first theft.
 */
const { values } = parseArgs({
  options: {
    walks: { type: 'string', default: '20000' },
    acts: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})
const [walks, acts, seed] = [Number(values.walks), Number(values.acts), Number(values.seed)]
/** A database serves this many walks, so that it stays small. */
const PER_APP = 100
const shm = '/dev/shm'
const base = existsSync(shm) ? shm : tmpdir()

speakToDesks()
let found: Found | null = null
const started = Date.now()
for (let done = 0; done < walks && found === null; done += PER_APP) {
  const dataDir = mkdtempSync(join(base, 'brokerbase-insider-'))
  // every second database has a mail server, so that links are not shown in the console
  const smtp = (done / PER_APP) % 2 === 0 ? null : mailServer()
  const app = createTestApp({ dataDir, config: { smtp } })
  for (let index = done; index < Math.min(done + PER_APP, walks) && found === null; index += 1)
    found = await walk(app, seed + index, acts)
  await app.close()
  rmSync(dataDir, { recursive: true, force: true })
}
const seconds = ((Date.now() - started) / 1000).toFixed(0)
if (found) {
  process.stdout.write(`walk ${found.seed}: ${found.theft}\n  ${found.acts.join(' → ')}\n0 passed, 1 failed\n`)
  process.exit(1)
}
process.stdout.write(`${walks} walks of ${acts} acts in ${seconds} s: no money by one person\n1 passed, 0 failed\n`)

/** Returns settings of a mail server that is never called: no job runs here, and its mail is read in the queue. */
function mailServer() {
  return { host: '127.0.0.1', port: 9, secure: false, from: 'Test <test@localhost>' }
}
