import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Proves that the walks can find what they look for: takes one rule after the other out of a copy
 * of the sources and expects a theft within 2,000 walks. `bun src/testing/insider/mutations.ts
 * [name]`; prints how many walks each took, ends with 1 when a rule is not missed.
 */
type Mutation = { name: string; file: string; from: string; to: string }

const SERVICE = 'src/modules/independence/independence.service.ts'
const MUTATIONS: readonly Mutation[] = [
  {
    name: 'M2: accounts belong to who set them up',
    file: 'src/modules/independence/people.ts',
    from: 'if (!vouch || order(act.id) > order(vouch.id)) accounts',
    to: 'if (vouch && act.id === vouch.id) accounts',
  },
  {
    name: 'M3: own deposits need a second person',
    file: 'src/modules/deposits/settlement.ts',
    from: 'if (announcedBy !== null) throw',
    to: 'if (announcedBy !== null) return true\n  if (deposit.id === "") throw',
  },
  {
    name: 'M4: nobody books on their own word about a balance',
    file: 'src/modules/transfers/transfers.service.ts',
    from: 'if (balanceBy !== null && people.samePerson(balanceBy, userId)) throw transferErrors.own_balance()',
    to: '',
  },
  {
    name: 'M5: votes are read again',
    file: 'src/modules/withdrawals/votes.ts',
    from: 'return isManager && whyNotVote(db, table.people, userId, null, now) === null',
    to: 'return isManager || userId !== ""',
  },
  {
    name: 'M6: who could be the client decides nothing of them',
    file: SERVICE,
    from: 'didFor(db, people, userId, traderId, CLIENT_TIES, now)',
    to: 'didFor(db, people, userId, traderId, CLIENT_TIES.slice(9), now)',
  },
  {
    name: 'invited: the mailbox is of who invited',
    file: 'src/modules/users/users.service.ts',
    from: "noteAccountAct(tx, staffIdOf(ctx.principal), user.id, 'invited')",
    to: '',
  },
  {
    name: 'announced: what a client announced takes two',
    file: 'src/modules/deposits/settlement.ts',
    from: 'if (firstWordBy === null || firstWordAmount !== amount) return false',
    to: 'if (firstWordBy === null || firstWordAmount !== amount) return true',
  },
  {
    name: 'gateway: its secret is a hand',
    file: 'src/modules/deposits/deposits.service.ts',
    from: "noteClientAct(tx, result.secretBy, deposit.traderId, 'gateway_secret')",
    to: '',
  },
]

const root = join(import.meta.dir, '../../..')
const only = process.argv[2]
let failed = 0
let passed = 0

for (const mutation of MUTATIONS.filter(({ name }) => only === undefined || name.startsWith(only))) {
  const copy = mkdtempSync(join(tmpdir(), 'brokerbase-mutation-'))
  for (const part of ['src', 'migrations', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const path = join(copy, mutation.file)
  const source = readFileSync(path, 'utf8')
  if (source.split(mutation.from).length !== 2)
    throw new Error(`${mutation.file} has not exactly one “${mutation.from}”`)
  writeFileSync(path, source.replace(mutation.from, mutation.to))
  const child = Bun.spawnSync([process.execPath, 'src/testing/insider/insider.ts', '--walks', '2000'], { cwd: copy })
  const output = child.stdout.toString()
  const found = child.exitCode === 1 && output.startsWith('walk ')
  process.stdout.write(
    `${found ? 'found' : 'MISSED'}  ${mutation.name}: ${output.split('\n')[0] || child.stderr.toString().slice(0, 300)}\n`,
  )
  if (found) passed += 1
  else failed += 1
  rmSync(copy, { recursive: true, force: true })
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
