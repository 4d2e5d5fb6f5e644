import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asking, quiet } from '../contract/fresh-asking.ts'
import { collectRoutes, type Route } from '../contract/routes.ts'
import type { Make, Sample } from '../contract/sample.ts'
import { buildSample, send } from '../contract/samples.ts'
import type { Acting } from '../contract/seed-firm.ts'
import { PASSWORD } from '../contract/seed-room.ts'
import { furnished } from '../contract/seeded-app.ts'
import { ROLES, type Scope } from '../platform/access/catalogue.ts'
import { HOUR, MINUTE } from '../platform/clock.ts'
import { sha256Hex } from '../platform/secrets.ts'
import type { Answer } from './app.ts'
import { HOW_TO_UPDATE, readSnapshot } from './snapshot.ts'

/**
 * Finds out what each operation gives to a thief who has a cookie or a key and knows no password. The cookies are of
 * each role, with a password that was given 11 hours, 16 minutes or no time ago; the keys have each usual set of scopes
 * and are made by an owner. The answers are compared with the committed matrix, `src/testing/thief.snapshot.json`; ends
 * with 1 if they differ.
 */
const AGES = [11 * HOUR, 16 * MINUTE, 0]
const KEYS: Readonly<Record<string, readonly Scope[]>> = {
  portal: [
    'traders:read',
    'traders:write',
    'accounts:read',
    'wallets:read',
    'wallets:write',
    'deposits:read',
    'deposits:write',
    'withdrawals:read',
    'withdrawals:write',
    'kyc:read',
    'kyc:write',
    'support:read',
    'support:write',
  ],
  crm_sync: ['traders:read', 'traders:write', 'leads:read', 'leads:write', 'accounts:read', 'support:read'],
  bridge: [
    'accounts:read',
    'accounts:write',
    'positions:read',
    'positions:write',
    'wallets:read',
    'wallets:write',
    'webhooks:read',
  ],
  accountant: [
    'ledger:read',
    'wallets:read',
    'deposits:read',
    'withdrawals:read',
    'fx:read',
    'affiliates:read',
    'reports:read',
    'audit:read',
  ],
}
const THIEVES = [...ROLES, 'trader', 'ib', ...Object.keys(KEYS)]

// small writes spend most of their time on the disk, so the data is in memory if possible
const dataDir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'brokerbase-thief-'))
const world = await furnished(dataDir)
const { app, place } = world
const { make } = place

/** Changes the session of a cookie so that its password was given this long ago. */
async function age(headers: Readonly<Record<string, string>> | undefined, by: number): Promise<void> {
  const token = /crm_session=([^;]+)/.exec(headers?.cookie ?? '')?.[1]
  if (token === undefined) return
  const at = app.clock.now() - by
  await app.platform.writer.submit(() =>
    app.platform.connection.run('UPDATE sessions SET proven_at = ?1, created_at = ?1 WHERE token_hash = ?2', [
      at,
      sha256Hex(token),
    ]),
  )
}

const readers = new Map<string, Acting>()

/** Returns the owner of the stolen cookie or key: a new one if the operation may use it up, else a shared one. */
async function victim(thief: string, route: Route, ago: number): Promise<Acting> {
  const kind = `${thief} ${ago}`
  const known = route.mutates ? undefined : readers.get(kind)
  const acting = known ?? (await newVictim(thief, route))
  if (known === undefined) await age(acting.as.headers, ago)
  if (!route.mutates) readers.set(kind, acting)
  return acting
}

async function newVictim(thief: string, { mutates }: Route): Promise<Acting> {
  const scopes = KEYS[thief]
  if (scopes) return { as: await make.key(place.firm.as.owner.id, scopes) }
  const role = ROLES.find((name) => name === thief)
  if (role) return { as: await make.member(role) }
  const ofBroker = thief === 'ib'
  const trader = mutates ? await make.client() : ofBroker ? place.ib.trader : place.client
  if (ofBroker && mutates) await make.affiliate(trader)
  return { as: await make.traderSession(trader), trader }
}

/** Returns the request of a thief, who has the cookie and guesses the password if one must be given. */
function withoutPassword(route: Route, sample: Sample): Sample {
  if (!route.path.startsWith('/v1/auth/') || sample.body === undefined) return sample
  const must: unknown = route.body?.required
  const fields = Object.entries(sample.body ?? {}).flatMap(([name, value]): [string, unknown][] => {
    if (value !== PASSWORD) return [[name, value]]
    return Array.isArray(must) && must.includes(name) ? [[name, 'the guess of a thief']] : []
  })
  return { ...sample, body: Object.fromEntries(fields) }
}

const done = (route: Route, sample: Sample, { status }: Answer): boolean =>
  sample.status === undefined ? route.success.has(status) : sample.status === status

/** A request that was refused and changed nothing, for the next thief of the same case. */
let spare: { name: string; sample: Sample } | undefined
const OWN = /^\/v1\/(auth|saved-views)\//

/**
 * Returns the request of a case. Its sender makes the rows that it needs; for a key its maker does, who may do more.
 */
async function buildRequest({ name, route, usual }: Case, thief: string, acting: Acting): Promise<Sample> {
  const isShared = (acting.trader === undefined || route.audience.length === 0) && !OWN.test(route.path)
  if (isShared && spare?.name === name) return spare.sample
  const prepares = KEYS[thief] ? { as: await make.member('owner') } : acting
  const sample = withoutPassword(route, await buildSample(route, place, prepares, usual))
  if (isShared) spare = { name, sample }
  return sample
}

type Case = { name: string; route: Route; usual: Make | undefined }

/** Returns what one thief gets: `yes`, `no` if role or scopes forbid it, `password`, or the code of the refusal. */
async function got(asked: Case, thief: string, ago: number): Promise<string> {
  const { route } = asked
  const acting = await victim(thief, route, ago)
  const sample = await buildRequest(asked, thief, acting)
  await age(sample.headers, ago)
  if (route.path.startsWith('/v1/system/')) await world.settled()
  const answer = await send(route, place, sample, { as: acting.as })
  if (answer.status !== 403) spare = undefined
  if (done(route, sample, answer)) return 'yes'
  const code = String(answer.body?.code ?? answer.status)
  return code === 'forbidden' ? 'no' : code === 'reauthentication_required' ? 'password' : code
}

/** If the oldest cookie gets one of these answers, younger ones get it too, since these do not depend on the age. */
const AGELESS = ['yes', 'no', 'auth.wrong_password']

/** Returns the results for one thief: one for every age, `fresh` if only a fresh cookie works, or one for each age. */
async function cell(asked: Case, thief: string): Promise<string> {
  const words: string[] = []
  for (const ago of KEYS[thief] ? [0] : AGES) {
    words.push(await got(asked, thief, ago))
    if (AGELESS.includes(words[0] ?? '')) break
  }
  if (new Set(words).size === 1) return words[0] ?? ''
  return words.join() === 'password,password,yes' ? 'fresh' : words.join('/')
}

const began = performance.now()
const routes = collectRoutes(app)
  .filter(({ role }) => role !== 'public')
  .sort((a, b) => (a.key < b.key ? -1 : 1))
const cases = routes.flatMap((route): Case[] => {
  const often: Case = { name: route.key, route, usual: quiet[route.key] }
  const inItsCase = asking[route.key]
  return inItsCase ? [often, { name: `${route.key} ${route.fresh}`, route, usual: inItsCase }] : [often]
})
const matrix: Record<string, string> = { '': THIEVES.map((thief) => thief.padEnd(Math.max(8, thief.length))).join(' ') }
for (const asked of cases) {
  const cells: string[] = []
  for (const thief of THIEVES) cells.push((await cell(asked, thief)).padEnd(Math.max(8, thief.length)))
  matrix[asked.name] = cells.join(' ').trimEnd()
  process.stdout.write(`${cells.join(' ')} ${asked.name}\n`)
}
await world.close()
rmSync(dataDir, { recursive: true, force: true })

const committed = readSnapshot(join(import.meta.dir, 'thief.snapshot.json'), matrix)
const before = new Map(Object.entries(committed ?? {}))
const names = new Set([...before.keys(), ...Object.keys(matrix)])
const differing = [...names].filter((name) => before.get(name) !== matrix[name])
for (const name of differing) process.stdout.write(`\n${name}\n- ${before.get(name)}\n+ ${matrix[name]}\n`)
if (differing.length > 0) process.stdout.write(`\n${HOW_TO_UPDATE}\n`)
const seconds = ((performance.now() - began) / 1000).toFixed(0)
process.stdout.write(`\n${cases.length} cases in ${seconds} s\n`)
process.stdout.write(differing.length > 0 ? '0 passed, 1 failed\n' : '1 passed, 0 failed\n')
process.exit(differing.length > 0 ? 1 : 0)
