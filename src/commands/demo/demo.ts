import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { systemClock } from '../../platform/clock.ts'
import { createDirectory } from '../../platform/db/directory.ts'
import { lockDataDir } from '../../platform/db/lock.ts'
import { createLog } from '../../platform/log.ts'
import { openPlatform, type Platform } from '../../platform/platform.ts'
import { openReader } from '../../platform/sqlite.ts'
import { serve } from '../serve.ts'
import { openDemoTerminal } from './demo-terminal.ts'
import { startPlatformSimulator } from './platform-simulator.ts'
import { startDemoReceiver } from './receiver.ts'
import { DEMO, seedDemo } from './seed.ts'

/** `--reset` may remove only these files, which Brokerbase makes. */
const OWN_FILES = ['brokerbase.db', 'files.db']
  .flatMap((name) => [name, `${name}-wal`, `${name}-shm`])
  .concat('secret.key', 'demo.simulator')

/** Runs a demo brokerage. The first start fills it, later starts keep it, and `reset` makes it again. */
export async function demo(config: Config, { reset }: { reset: boolean }): Promise<void> {
  // The directory may be the server's, from its variable. The lock refuses data that a server uses, and `refuseForeign`
  // data of a firm that is not the demo's.
  const lock = lockDataDir(config.dataDir)
  if (reset) {
    refuseForeign(join(config.dataDir, 'brokerbase.db'), config.dataDir)
    for (const name of OWN_FILES) rmSync(join(config.dataDir, name), { force: true })
  }
  const fresh = !existsSync(join(config.dataDir, 'brokerbase.db'))
  if (fresh) {
    process.stdout.write(`Making a demo brokerage in ${config.dataDir}, which takes about a minute:`)
    const platform = openPlatform({ config, clock: systemClock, log: createLog({ level: 'warn' }) })
    await seedDemo(platform, undefined, (share) => process.stdout.write(` ${Math.floor(share * 100)} %`))
    await platform.close()
    process.stdout.write(' 100 %\n')
  }
  lock.close()
  const { url } = await serve({ ...config, hasSimulator: true }, openDemo)
  process.stdout.write(
    `\n  Brokerbase demo: ${DEMO.firm}\n\n  Console   ${url}/admin\n  API       ${url}/docs\n  E-mail    ${DEMO.email}\n  Password  ${DEMO.password}\n\n  Stop with Ctrl-C; start afresh with --reset.\n\n`,
  )
}

/** Throws unless the database is absent, empty or the demo's (its staff may have created other firms). */
function refuseForeign(path: string, dataDir: string): void {
  if (!existsSync(path)) return
  const db = openReader(path)
  try {
    if (!db.get("SELECT 1 FROM sqlite_schema WHERE name = 'tenants'")) return
    const directory = createDirectory(db)
    if (directory.idOfSlug(DEMO.tenantSlug) === undefined && !directory.isEmpty())
      throw new Error(`${dataDir} holds a brokerage that is not the demo: it is not reset. Choose another --data-dir.`)
  } finally {
    db.close()
  }
}

async function openDemo(platform: Platform): Promise<void> {
  const tenantId = platform.directory.idOfSlug(DEMO.tenantSlug)
  if (tenantId === undefined)
    throw new Error(
      `${platform.config.dataDir} holds another brokerage, not the demo; choose another --data-dir, or --reset to replace it.`,
    )
  await startDemoReceiver(platform, tenantId)
  startPlatformSimulator(platform, tenantId)
  await openDemoTerminal(platform, tenantId)
}
