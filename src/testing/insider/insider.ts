import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createTestApp } from '../app.ts'
import { type Found, walk } from './walk.ts'

/**
 * Looks for a way in which one dishonest admin, manager, operator or key, with any number of clients
 * and mailboxes, gets money that should have needed somebody else: random walks through the real
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
/** One database does not grow without end. */
const PER_APP = 100
const shm = '/dev/shm'
const base = existsSync(shm) ? shm : tmpdir()

let found: Found | null = null
const started = Date.now()
for (let done = 0; done < walks && found === null; done += PER_APP) {
  const dataDir = mkdtempSync(join(base, 'brokerbase-insider-'))
  // every other hundred with a mail server, which carries links past the console
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

/** Settings of a mail server that nobody calls: jobs do not run here, what it would carry is read off its queue. */
function mailServer() {
  return { host: '127.0.0.1', port: 9, secure: false, from: 'Test <test@localhost>' }
}
