import { pspConnections } from '../../modules/books/deposits/gateways.table.ts'
import { withdrawals } from '../../modules/books/withdrawals/withdrawals.table.ts'
import { kycSubmissions } from '../../modules/clients/kyc/kyc.table.ts'
import type { Explanation } from '../../modules/clients/sanctions/matcher.ts'
import { sanctionsHits } from '../../modules/clients/sanctions/sanctions.table.ts'
import { traders } from '../../modules/clients/traders/traders.table.ts'
import { clientActs } from '../../modules/firm/independence/independence.table.ts'
import { users } from '../../modules/firm/users/users.table.ts'
import { topRole } from '../../platform/access/catalogue.ts'
import { hmacSha256Hex } from '../../platform/secrets.ts'
import type { Caller } from '../app.ts'
import { type Act, act, pick, some, staff } from './draw.ts'
import { call, type Guarded, openSession, type World } from './world.ts'

/**
 * A guarded client requests this at most twice. It is honest money, which one person may approve if there is no block.
 */
const OWN = '400.00'
export const OWN_DESTINATION = 'OWN'

/** Makes the clients that a block keeps from their money, as honest people left them. */
export async function makeGuarded(world: World): Promise<void> {
  const { firm, ctx } = world
  const { owner, operator, manager } = firm.as
  const client = async (): Promise<Guarded> => {
    const trader = await firm.trader({ kycLevel: 2 })
    return { trader, session: await firm.traderSession(trader), asked: 0 }
  }
  const guarded = { held: await client(), matched: await client(), known: await client(), former: await client() }
  for (const { trader } of [guarded.held, guarded.known]) {
    const deposit = { traderId: trader, currency: 'EUR', amount: '800', method: 'bank' }
    const announcer = world.staff[0]?.role === 'operator' ? manager : operator
    const { body } = await call(world, announcer, 'POST', '/v1/deposits', deposit)
    await call(world, owner, 'POST', `/v1/deposits/${body.id}/settle`)
  }
  await call(world, owner, 'PATCH', `/v1/traders/${guarded.held.trader}`, { legalHold: true })
  await ctx.write('insider.guarded', (tx) => {
    const papers = { level: 2, status: 'approved', decidedBy: owner.id, decidedAt: tx.now } as const
    for (const { trader } of [guarded.known, guarded.former]) {
      tx.insert(kycSubmissions, { traderId: trader, ...papers })
      tx.update(traders, trader, { kycStatus: 'approved' })
    }
    const named = { source: 'un', reference: 'A-1', name: 'Somebody', score: 100, listHash: 'x' } as const
    const explanation: Explanation = {
      listedAs: 'Somebody',
      nameScore: 100,
      words: [],
      birth: 'unknown',
      country: 'unknown',
    }
    const decided = { status: 'confirmed', reason: 'it is them', decidedBy: owner.id, decidedAt: tx.now } as const
    const traderId = guarded.matched.trader
    guarded.matched.hit = tx.insert(sanctionsHits, { traderId, ...named, explanation, ...decided }).id
    tx.insert(clientActs, { traderId, userId: owner.id, act: 'confirmed_match' })
    return null
  })
  world.guarded = guarded
}

const acts: readonly Act[] = [
  act('stop a client', 1, async (world, random) => {
    const [as, one] = [staff(world, random), pick(random, listGuarded(world))]
    if (!as || !one) return
    const { legalHold, status } = world.ctx.db.get(traders, one.trader, { withDeleted: true })
    if (legalHold || status !== 'active') return
    const stop = random(2) === 0 ? { legalHold: true } : { status: 'suspended' }
    const answer = await call(world, as, 'PATCH', `/v1/traders/${one.trader}`, stop)
    if (answer.status === 200) one.stopped = true
  }),
  act('lift a block', 4, async (world, random) => {
    const [as, one] = [staff(world, random), pick(random, listGuarded(world))]
    if (!as || !one) return
    const lift = { legalHold: false, status: 'active' }
    const { status } = await call(world, as, 'PATCH', `/v1/traders/${one.trader}`, lift)
    if (status === 200 && one.stopped) world.broken = 'a block was lifted by who set it'
  }),
  act('clear a match', 2, async (world, random) => {
    const [as, hit] = [staff(world, random), world.guarded?.matched.hit]
    if (!as || !hit) return
    await call(world, as, 'POST', `/v1/sanctions/hits/${hit}/clear`, { reason: 'x' })
    if (world.ctx.db.get(sanctionsHits, hit).status === 'cleared') world.broken = 'one person cleared a confirmed match'
  }),
  act('rename a client', 2, async (world, random) => {
    const [as, known] = [staff(world, random), world.guarded?.known]
    // a payment before the block is not a theft
    if (!as || !known || world.ctx.db.find(withdrawals, { traderId: known.trader, status: 'paid' })) return
    world.serial += 1
    const name = { lastName: `Mule ${world.serial}` }
    const { status } = await call(world, as, 'PATCH', `/v1/traders/${known.trader}`, name)
    if (status === 200) known.renamed = true
  }),
  act('approve papers', 2, async (world, random) => {
    const [as, known] = [staff(world, random), world.guarded?.known]
    const waiting = known && world.ctx.db.find(kycSubmissions, { traderId: known.trader, status: 'requested' })
    if (!as || !waiting) return
    const { status } = await call(world, as, 'POST', `/v1/kyc/submissions/${waiting.id}/approve`, { note: 'x' })
    if (status === 200) world.broken = 'papers were approved by who changed the name'
  }),
  act('a guarded client asks for their money', 6, async (world, random) => {
    const one = pick(random, listGuarded(world))
    if (!one || one.asked >= 2) return
    const asked = { currency: 'EUR', amount: OWN, destination: { kind: 'bank', reference: OWN_DESTINATION } }
    const { status, body } = await call(world, one.session, 'POST', '/v1/withdrawals', asked)
    if (status !== 201) return
    one.asked += 1
    world.withdrawals.push(body.id)
  }),
  act(
    'leave, and sign a callback',
    ({ secrets }) => some([...secrets], 3),
    async (world, random) => {
      const [gateway] = [...world.secrets.keys()]
      const client = pick(random, world.clients)
      if (!gateway || !client) return
      const { owner } = world.firm.as
      const { secretBy } = world.ctx.db.get(pspConnections, gateway)
      if (secretBy === null) return
      const deposit = { currency: 'EUR', amount: '9000.00', method: 'card', pspConnectionId: gateway }
      const announced = await call(world, client, 'POST', '/v1/deposits', deposit)
      if (announced.status !== 201) return
      await call(world, owner, 'PATCH', `/v1/users/${secretBy}`, { status: 'disabled' })
      world.serial += 1
      const said = { depositId: announced.body.id, status: 'success', amount: '9000.00', currency: 'EUR' }
      const raw = JSON.stringify({ ...said, reference: `L${world.serial}` })
      const signature = hmacSha256Hex(world.secrets.get(gateway) ?? '', raw)
      await world.app.call('POST', `/v1/psp/${gateway}/callback`, { raw, headers: { 'x-psp-signature': signature } })
      const { status } = (await call(world, owner, 'GET', `/v1/deposits/${announced.body.id}`)).body
      if (status === 'settled') world.broken = 'a gateway of somebody who left paid in'
      await call(world, owner, 'PATCH', `/v1/users/${secretBy}`, { status: 'active' })
      await signInAgain(world, secretBy)
    },
  ),
  act('delete a client', 1, async (world, random) => {
    const [as, former] = [staff(world, random), world.guarded?.former]
    if (!as || !former) return
    const { status } = await call(world, as, 'DELETE', `/v1/traders/${former.trader}`)
    const { roles } = world.ctx.db.get(users, as.id, { withDeleted: true })
    const isAdmin = ['admin', 'owner', 'platform_admin'].includes(topRole(roles))
    if (status === 204 && !isAdmin) world.broken = 'a client with papers was deleted below an admin'
  }),
  act('change a colleague’s name', 1, async (world, random) => {
    const [as, whom] = [staff(world, random), pick(random, world.colleagues)]
    if (!as || !whom || whom.made) return
    world.serial += 1
    const name = { displayName: `Somebody Else ${world.serial}` }
    const { status } = await call(world, as, 'PATCH', `/v1/users/${whom.id}`, name)
    if (status === 200 && as.id !== whom.id) world.broken = 'a colleague was renamed by somebody who is no owner'
  }),
]

/** The acts of an insider on clients whom honest people blocked or examined. A sixth of all walks use them. */
export const BLOCK_ACTS: readonly Act[] = acts.map((one) => ({
  ...one,
  weight: (world) => (world.guarded ? 1.5 * one.weight(world) : 0),
}))

const listGuarded = ({ guarded }: World): Guarded[] => (guarded ? [guarded.held, guarded.known] : [])

/** Opens a new session for a disabled user whose password is known, since the user's old sessions have ended. */
async function signInAgain(world: World, userId: string): Promise<void> {
  for (const mask of world.staff.filter(({ id, headers }) => id === userId && 'cookie' in headers)) {
    const session: Caller | null = await openSession(world, { userId })
    if (session) Object.assign(mask, session)
  }
}

/** Returns which rule about guarded clients the insider's acts broke; null if none. */
export function brokenGuard({ ctx, guarded, broken }: World): string | null {
  if (broken !== null || guarded === null) return broken
  const isPaid = ({ trader }: Guarded): boolean =>
    ctx.db.find(withdrawals, { traderId: trader, status: 'paid' }) !== undefined
  if (isPaid(guarded.held)) return 'who lifted a hold alone let the money out alone'
  if (guarded.known.renamed && isPaid(guarded.known)) return 'money left for a client whom the insider renamed'
  return null
}
