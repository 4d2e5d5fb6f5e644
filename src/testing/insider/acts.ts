import { TOTP } from 'otpauth'
import { formatAmount } from '../../platform/money.ts'
import { hmacSha256Hex } from '../../platform/secrets.ts'
import type { Answer, Caller } from '../app.ts'
import { renewedBy } from '../sign-in.ts'
import { BLOCK_ACTS } from './acts.blocks.ts'
import { BROKER_ACTS } from './acts.brokers.ts'
import { TERMINAL_ACTS } from './acts.terminals.ts'
import { type Act, act, amount, masks, open, pick, some, staff, target } from './draw.ts'
import { call, carriedTokens, findWalletId, getEmail, openSession, shownOnWinner, WON, type World } from './world.ts'

const PASSWORD = 'a password of the crook'

/** Returns the token of a link: from a mailbox, if there is a mail server, or from the held mails. */
async function linkFor(world: World, recipient: string, page: 'accept-invite' | 'reset'): Promise<string | null> {
  const carried = carriedTokens(world, page).filter((link) => link.recipient === recipient)
  const last = carried.at(-1)
  if (last) return last.token
  for (const as of world.staff) {
    const { status, body } = await call(world, as, 'GET', `/v1/mails?recipient=${encodeURIComponent(recipient)}`)
    if (status !== 200) continue
    for (const { id } of body.data) {
      const read = await call(world, as, 'GET', `/v1/mails/${id}`)
      const [, token] = new RegExp(`${page}\\?token=(\\S+)`).exec(read.body?.text ?? '') ?? []
      if (token) return token
    }
  }
  return null
}

/** Continues a session under its new cookie if an answer renewed it. */
const renew = (as: Caller, answer: Answer): void => void Object.assign(as, renewedBy(as, answer))

/** All acts of an insider. Their weights favour money that has not left yet. */
export const ACTS: readonly Act[] = [
  act('invite a colleague', 4, async (world, random) => {
    const as = staff(world, random)
    if (!as) return
    world.serial += 1
    const email = `puppet${world.serial}@${world.firm.slug}.test`
    world.mailboxes.push(email)
    const roles = [pick(random, ['manager', 'admin', 'operator'] as const) ?? 'manager']
    const byPassword = random(2) === 0
    const { status, body } = await call(world, as, 'POST', '/v1/users/invite', {
      email,
      displayName: `Puppet ${email}`,
      roles,
      ...(byPassword ? { password: PASSWORD } : {}),
    })
    if (status !== 201) return
    world.colleagues.push({ id: body.id, email, made: true })
    if (!byPassword) {
      const token = await linkFor(world, email, 'accept-invite')
      if (!token) return
      await world.app.call('POST', '/v1/users/accept-invite', { body: { token, password: PASSWORD } })
    }
    const session = await openSession(world, { userId: body.id })
    if (!session) return
    const mask = { ...session, role: roles[0] ?? 'manager' }
    world.staff.push(mask)
    if (byPassword)
      renew(
        mask,
        await call(world, mask, 'POST', '/v1/auth/change-password', {
          currentPassword: PASSWORD,
          newPassword: `${PASSWORD}!`,
        }),
      )
  }),
  act(
    'turn on a second factor',
    (world) => (world.staff.length > 1 ? 2 : 0),
    async (world, random) => {
      const as = pick(random, world.staff)
      if (!as) return
      const { body, status } = await call(world, as, 'POST', '/v1/auth/2fa/setup')
      if (status !== 200) return
      const code = new TOTP({ secret: body.secret }).generate({ timestamp: world.app.clock.now() })
      renew(as, await call(world, as, 'POST', '/v1/auth/2fa/enable', { code }))
    },
  ),
  act(
    'vouch',
    (world) => (world.staff.length > 1 ? 3 : 0),
    async (world, random) => {
      const [as, whom] = [pick(random, world.staff), pick(random, world.staff)]
      if (as && whom) await call(world, as, 'POST', `/v1/users/${whom.id}/vouch`, { note: 'a fine colleague' })
    },
  ),
  act('promote', 1, async (world, random) => {
    const [as, whom] = [staff(world, random), pick(random, world.colleagues)]
    const roles = [pick(random, ['admin', 'manager', 'operator'] as const) ?? 'admin']
    if (as && whom) await call(world, as, 'PATCH', `/v1/users/${whom.id}/roles`, { roles })
  }),
  act('disable a colleague', 0.5, async (world, random) => {
    const [as, whom] = [staff(world, random), pick(random, world.colleagues)]
    if (as && whom) await call(world, as, 'PATCH', `/v1/users/${whom.id}`, { status: 'disabled' })
  }),
  act('take over a colleague', 2, async (world, random) => {
    const as = staff(world, random)
    const whom = pick(
      random,
      world.colleagues.filter(({ made }) => !made),
    )
    if (!as || !whom) return
    // this client has the same address as an existing one
    if (random(2) === 0) await call(world, as, 'POST', '/v1/traders', { email: whom.email, firstName: 'Twin' })
    await call(world, as, 'POST', `/v1/users/${whom.id}/2fa/reset`)
    await world.app.call('POST', '/v1/auth/forgot', { body: { email: whom.email } })
    await Bun.sleep(1)
    const token = await linkFor(world, whom.email, 'reset')
    if (!token) return
    await world.app.call('POST', '/v1/auth/reset', { body: { token, password: PASSWORD } })
    const session = await openSession(world, { userId: whom.id })
    if (session) world.staff.push({ ...session, role: 'manager' })
  }),
  act('take over a client', 3, async (world, random) => {
    const as = staff(world, random)
    const [traderId] = world.honest
    if (!as || !traderId || world.clients.some(({ trader }) => trader === traderId)) return
    world.serial += 1
    const email = random(2) === 0 ? `mail${world.serial}@${world.firm.slug}.test` : (world.mailboxes[0] ?? '')
    world.mailboxes.push(email)
    if (random(3) > 0) await call(world, as, 'PATCH', `/v1/traders/${traderId}`, { email })
    const sender = staff(world, random) ?? as
    await call(world, sender, 'POST', `/v1/traders/${traderId}/invite`)
    const address = getEmail(world, traderId)
    const token = address === null ? null : await linkFor(world, address, 'accept-invite')
    if (!token) return
    const accepted = await world.app.call('POST', '/v1/users/accept-invite', { body: { token, password: PASSWORD } })
    const session = accepted.status === 200 ? await openSession(world, { traderId }) : null
    if (session) world.clients.push({ ...session, role: 'client', trader: traderId })
  }),
  act('announce a deposit', 5, async (world, random) => {
    const as = masks(world, random)
    const traderId = as?.trader ?? pick(random, world.accomplices)
    if (!as || !traderId) return
    const deposit = { traderId, currency: 'EUR', amount: amount(random), method: 'bank' }
    const { status, body } = await call(world, as, 'POST', '/v1/deposits', deposit)
    if (status === 201) world.deposits.push({ id: body.id, amount: deposit.amount })
  }),
  act(
    'settle a deposit',
    ({ deposits }) => some(deposits, 7),
    async (world, random) => {
      const [as, deposit] = [staff(world, random), pick(random, world.deposits.slice(-3))]
      if (!as || !deposit) return
      if (random(4) > 0) await call(world, as, 'POST', `/v1/deposits/${deposit.id}/settle`)
      else
        await call(world, as, 'POST', `/v1/admin/deposits/${deposit.id}/partial-settle`, {
          settledAmount: (Number(deposit.amount) - 1).toFixed(2),
        })
    },
  ),
  act('pay in through a gateway of one’s own', 3, async (world, random) => {
    const as = staff(world, random)
    const traderId = pick(random, world.accomplices)
    if (!as || !traderId) return
    let [gateway] = world.secrets.keys()
    if (gateway === undefined) {
      const secret = 'a secret that the crook knows'
      const made = await call(world, as, 'POST', '/v1/psp/connections', { name: 'G', kind: 'generic', secret })
      if (made.status !== 201) return
      gateway = String(made.body.id)
      world.secrets.set(gateway, secret)
    }
    const deposit = { traderId, currency: 'EUR', amount: amount(random), method: 'card', pspConnectionId: gateway }
    const announcer = random(2) === 0 ? world.clients.find(({ trader }) => trader === traderId) : as
    const announced = await call(world, announcer ?? as, 'POST', '/v1/deposits', deposit)
    if (announced.status !== 201) return
    world.serial += 1
    const said = { depositId: announced.body.id, status: 'success', amount: deposit.amount, currency: 'EUR' }
    const raw = JSON.stringify({ ...said, reference: `G${world.serial}` })
    const signature = hmacSha256Hex(world.secrets.get(gateway) ?? '', raw)
    await world.app.call('POST', `/v1/psp/${gateway}/callback`, { raw, headers: { 'x-psp-signature': signature } })
  }),
  act('move money to an account', 2, async (world, random) => {
    const [as, account] = [masks(world, random), pick(random, world.accounts)]
    const wallet = account ? await findWalletId(world, account.traderId) : null
    if (!as || !account || !wallet) return
    const { status, body } = await call(world, as, 'POST', '/v1/transfers', {
      fromWalletId: wallet,
      toAccountId: account.id,
      amount: amount(random),
    })
    if (status !== 201) return
    world.transfers.push(body.id)
    account.funded = true
  }),
  act('report a balance', 2, async (world, random) => {
    const [as, account] = [staff(world, random), pick(random, world.accounts)]
    if (!as || !account) return
    // reports the same balance that the platform reported last
    const before = await call(world, as, 'GET', `/v1/accounts/${account.id}`)
    const balance = random(2) === 0 ? amount(random) : before.body.balance
    await call(world, as, 'PATCH', `/v1/accounts/${account.id}`, { balance })
  }),
  act(
    'give an account to another client',
    ({ accounts, honest }) => (accounts.some(({ funded, traderId }) => funded && honest.includes(traderId)) ? 6 : 0.5),
    async (world, random) => {
      const [as, traderId] = [staff(world, random), pick(random, world.accomplices)]
      const account = world.accounts.find(({ funded }) => funded) ?? pick(random, world.accounts)
      if (!as || !account || !traderId) return
      const { status } = await call(world, as, 'PATCH', `/v1/accounts/${account.id}`, { traderId })
      if (status === 200) account.traderId = traderId
    },
  ),
  act('link a number of the platform', 2, async (world, random) => {
    const [as, traderId, account] = [
      staff(world, random),
      pick(random, world.accomplices),
      pick(random, world.accounts),
    ]
    if (!as || !traderId || !account) return
    const number = { accountNumber: world.treasure }
    if (random(2) === 0) await call(world, as, 'PATCH', `/v1/accounts/${account.id}`, number)
    else {
      const wanted = { traderId, platform: 'terminal5', currency: 'EUR', ...number }
      const made = await call(world, as, 'POST', '/v1/accounts', wanted)
      if (made.status === 201) world.accounts.push({ id: made.body.id, traderId })
    }
  }),
  act(
    'the platform reports',
    ({ transfers }) => (transfers.length > 0 ? 8 : 4),
    async (world) => {
      world.reports += 1
      const shown = formatAmount(shownOnWinner(world), 'EUR')
      const accounts = [
        { accountNumber: world.treasure, balance: '50000', equity: '50000' },
        { accountNumber: world.winner.number, balance: shown, equity: shown },
      ]
      const stream = { platform: 'terminal5', server: 'live', sequence: world.reports }
      await call(world, world.bridge, 'POST', '/v1/accounts/sync', { ...stream, accounts })
    },
  ),
  act(
    'book money from an account',
    ({ reports }) => (reports > 0 ? 8 : 3),
    async (world, random) => {
      const winner = world.accounts.find(({ id }) => id === world.winner.id)
      const [as, account] = [staff(world, random), random(2) === 0 ? winner : pick(random, world.accounts)]
      const wallet = account ? await findWalletId(world, account.traderId) : null
      if (!as || !account || !wallet) return
      const all = account === winner && random(2) === 0
      const wanted = all ? formatAmount(WON, 'EUR') : amount(random)
      const body = { fromAccountId: account.id, toWalletId: wallet, amount: wanted }
      const made = await call(world, as, 'POST', '/v1/transfers', body)
      if (made.status === 201) world.transfers.push(made.body.id)
    },
  ),
  act(
    'acknowledge a transfer',
    ({ transfers }) => some(transfers, 2),
    async (world, random) => {
      const [as, id] = [staff(world, random), pick(random, world.transfers)]
      const state = random(2) === 0 ? 'refused' : 'booked'
      if (as && id) await call(world, as, 'POST', `/v1/transfers/${id}/acknowledge`, { state, reason: 'x' })
    },
  ),
  act('move money to another client', 3, async (world, random) => {
    const as = staff(world, random)
    const [from, to] = [world.honest[0], pick(random, world.accomplices)]
    const wallets = from && to ? [await findWalletId(world, from), await findWalletId(world, to)] : []
    if (as && wallets[0] && wallets[1])
      await call(world, as, 'POST', '/v1/transfers', {
        fromWalletId: wallets[0],
        toWalletId: wallets[1],
        amount: amount(random),
      })
  }),
  act('ask for a credit', 2, async (world, random) => {
    const [as, traderId] = [staff(world, random), pick(random, world.accomplices)]
    if (!as || !traderId) return
    const credit = { traderId, currency: 'EUR', direction: 'credit', amount: amount(random), reason: 'goodwill' }
    const { status, body } = await call(world, as, 'POST', '/v1/adjustments', credit)
    if (status === 201) world.adjustments.push(body.id)
  }),
  act(
    'approve a credit',
    ({ adjustments }) => some(adjustments, 4),
    async (world, random) => {
      const [as, id] = [staff(world, random), pick(random, world.adjustments)]
      if (as && id) await call(world, as, 'POST', `/v1/adjustments/${id}/approve`, {})
    },
  ),
  act('set a rate', 1, async (world, random) => {
    const as = staff(world, random)
    const rate = pick(random, ['0.01', '1.12', '100'] as const) ?? '1.12'
    if (as) await call(world, as, 'POST', '/v1/fx/rates/upsert', { rates: [{ base: 'EUR', quote: 'USD', rate }] })
  }),
  act('ask for money', 8, async (world, random) => {
    const as = random(2) === 0 ? pick(random, world.clients) : masks(world, random)
    const traderId = as?.trader ?? target(world, random)
    if (!as || !traderId) return
    world.serial += 1
    const destination = { kind: 'bank', reference: `CROOK ${random(4) === 0 ? world.serial : 0}` }
    const asked = { traderId, currency: 'EUR', amount: amount(random), destination }
    const { status, body } = await call(world, as, 'POST', '/v1/withdrawals', asked)
    if (status === 201) world.withdrawals.push(body.id)
  }),
  act(
    'approve',
    ({ withdrawals }) => some(withdrawals, 12),
    async (world, random) => {
      const [as, id] = [staff(world, random), open(random, world.withdrawals)]
      if (!as || !id) return
      if (random(8) === 0) await call(world, as, 'POST', '/v1/withdrawals/bulk-approve', { ids: [id], note: 'x' })
      else {
        const { body } = await call(world, as, 'POST', `/v1/withdrawals/${id}/approve`, { note: 'looked at it' })
        if (body.status === 'approved') world.approved.push(id)
      }
    },
  ),
  act(
    'pay',
    ({ withdrawals, approved }) => some(approved, 8) + some(withdrawals, 2),
    async (world, random) => {
      const ids = world.approved.length === 0 || random(5) === 0 ? world.withdrawals : world.approved
      const [as, id] = [staff(world, random), open(random, ids)]
      world.serial += 1
      const paymentReference = `PAY ${world.serial}`
      if (as && id) await call(world, as, 'POST', `/v1/withdrawals/${id}/pay`, { paymentReference })
    },
  ),
  act('change the rules', 0.5, async (world, random) => {
    const as = staff(world, random)
    if (!as) return
    // an owner may set the threshold alone, and the currency in which it is
    const isOwners = world.trading?.isOwners === true
    const currency = isOwners ? {} : { currency: 'BTC' }
    if (random(2) > 0 || isOwners)
      await call(world, as, 'PATCH', '/v1/tenants/current', { ...currency, platformAcknowledges: true })
    else await call(world, as, 'PUT', '/v1/approval-policies', { currency: 'EUR', threshold: '900000', minKycLevel: 0 })
  }),
  act('merge two clients', 1.5, async (world, random) => {
    const [as, primaryId, secondaryId] = [staff(world, random), pick(random, world.accomplices), target(world, random)]
    if (as && primaryId && secondaryId)
      await call(world, as, 'POST', '/v1/admin/traders/merge', { primaryId, secondaryId })
  }),
  act('act inside a view', 0.5, async (world, random) => {
    const [as, traderId] = [staff(world, random), target(world, random)]
    if (!as || !traderId) return
    const view = await call(world, as, 'POST', '/v1/admin/impersonate/start', { traderId, reason: 'x' })
    if (view.status !== 200) return
    const inside = { ...as, headers: { ...as.headers, 'x-crm-view': String(view.body.token) } }
    const destination = { kind: 'bank', reference: 'CROOK 0' }
    const { status, body } = await call(world, inside, 'POST', '/v1/withdrawals', {
      currency: 'EUR',
      amount: amount(random),
      destination,
    })
    if (status === 201) world.withdrawals.push(body.id)
  }),
  ...BROKER_ACTS,
  ...BLOCK_ACTS,
  ...TERMINAL_ACTS,
  act('wait', 1.5, async (world, random) => {
    world.app.clock.advance((pick(random, [1, 25, 73] as const) ?? 1) * 3_600_000)
  }),
]
