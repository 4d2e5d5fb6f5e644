import { mkdirSync, writeFileSync } from 'node:fs'
import { TOTP } from 'otpauth'
import { snapshotPath, snapshotsDirectory } from '../modules/box/backups/backups.places.ts'
import type { Caller, Firm, TestApp } from '../testing/app.ts'
import { makeImport } from './made-import.ts'
import { affiliateMakers } from './makers-affiliates.ts'
import { gatewayMakers, moneyMakers } from './makers-money.ts'
import { paperMakers } from './makers-papers.ts'
import { AD_CREDENTIALS, rowMakers } from './makers-rows.ts'
import { accessMakers, staffMakers } from './makers-staff.ts'
import { terminalMakers } from './makers-terminals.ts'
import { openRoom, type Room, type World } from './seed-room.ts'

/** A firm with rows of every kind, and makers of new ones for operations that use a row up. */
export type Place = Awaited<ReturnType<typeof furnish<TestApp>>>

const SNAPSHOT = '20260101-020000-nightly'

/** A caller, with the trader's id if the caller is one. */
export type Acting = { as: Caller; trader?: string }

/** Fills a firm with a row of every kind, through the API if possible. `receiver` is an address that takes webhooks. */
export async function furnish<App extends World>(app: App, firm: Firm, receiver: string) {
  placeSnapshot(app.platform.config.dataDir)
  const room = await openRoom(app, firm)
  const { ctx, unique, email } = room
  const { make, client } = await createMakers(room, receiver)
  const broker = await make.trader()
  const affiliate = await make.affiliate(broker)
  const below = await make.affiliate(undefined, affiliate)
  /** An introducing broker: their client, their affiliate, and an affiliate below that one. */
  const ib = { trader: broker, affiliate, below }
  const ids = await standingRows(room, make, { client, affiliate })
  const code = (as: Caller): Promise<string> => newCode(room, as)
  const adCredentials = AD_CREDENTIALS
  return { app, firm, ctx, make, ids, adCredentials, client, ib, unique, email, code, receiver }
}

type Makers = Awaited<ReturnType<typeof createMakers>>['make']

/** Writes a snapshot file, which its download returns whatever its bytes are. */
function placeSnapshot(dataDir: string): void {
  mkdirSync(snapshotsDirectory(dataDir), { recursive: true })
  writeFileSync(snapshotPath(dataDir, SNAPSHOT), 'a snapshot')
}

/** Returns the makers of every kind of row, and the client that some of them use. */
async function createMakers(room: Room, receiver: string) {
  const money = moneyMakers(room)
  const client = await money.client()
  const make = {
    ...money,
    ...gatewayMakers(room, client, money.deposit),
    ...paperMakers(room),
    ...affiliateMakers(room, client, money.trader),
    ...staffMakers(room, money.trader),
    ...accessMakers(room),
    ...rowMakers(room, receiver),
    ...terminalMakers(room),
  }
  return { make, client }
}

/** Returns a valid code of a new authenticator for a caller. */
async function newCode({ app, post }: Room, as: Caller): Promise<string> {
  const { secret } = await post('/v1/auth/2fa/setup', undefined, as)
  return new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: app.clock.now() })
}

/** Makes a row of each kind for reads and refusals; its id is found by the path up to the parameter. */
async function standingRows(
  room: Room,
  make: Makers,
  { client, affiliate }: { client: string; affiliate: string },
): Promise<Readonly<Record<string, string>>> {
  const { app, firm, ctx, did } = room
  const { owner } = firm.as
  const account = await make.account(client)
  const { accountNumber } = await did(app.call('GET', `/v1/accounts/${account}`, { as: owner }))
  const subscription = await make.subscription()
  const member = await make.member('viewer')
  const gateway = await make.gateway()
  const submission = await make.submission(client)
  await unaddressedRows(room, make, { client, account })
  const savedView = await sharedView(room)
  const mails = await did(app.call('GET', '/v1/mails', { as: owner }))
  return {
    '/v1/accounts/:id': account,
    // a run of this job only reads
    '/v1/system/jobs/:name': 'sandbox.watch',
    '/v1/system/backups/:id': SNAPSHOT,
    '/v1/adjustments/:id': await make.adjustment(client),
    '/v1/traders/import/:id': await makeImport({ ctx, firm }, 'done'),
    '/v1/admin/deposits/:id': await make.deposit(client),
    '/v1/affiliates/:id': affiliate,
    '/v1/affiliates/commissions/:id': await make.commission(affiliate, client),
    '/v1/affiliates/payouts/:id': await make.payout(affiliate),
    '/v1/commission-plans/:id': await make.plan(),
    '/v1/ads/connections/:id': (await make.adConnection()).id,
    '/v1/platforms/connections/:id': await make.readTerminal(accountNumber),
    '/v1/platforms/instructions/:id': await make.instruction(client),
    '/v1/admin/impersonate/:id': await make.view(),
    '/v1/admin/traders/:id': client,
    '/v1/api-keys/:id': (await make.key(owner.id, ['traders:read'])).id,
    '/v1/auth/sessions/:id': member.session,
    '/v1/deposits/:id': await make.deposit(client),
    '/v1/files/:key': await make.logo(),
    '/v1/fx/rates/:id': await make.rate(),
    '/v1/kept-records/:id': await make.keptRecord(await make.trader()),
    '/v1/kyc/documents/:id': await make.document(client),
    '/v1/kyc/submissions/:id': submission,
    '/v1/leads/:id': await make.lead(),
    '/v1/mails/:id': mails.data[0].id,
    '/v1/positions/:id': await make.position(accountNumber),
    '/v1/psp/:connectionId': gateway,
    '/v1/psp/connections/:id': gateway,
    '/v1/psp/exceptions/:id': await make.exception(),
    '/v1/sanctions/hits/:id': await make.hit(await make.trader()),
    '/v1/saved-views/:id': savedView.id,
    '/v1/support/tickets/:id': await make.ticket(client),
    '/v1/tenants/:id': firm.tenantId,
    '/v1/traders/:id': client,
    '/v1/transfers/:id': await make.sentTransfer(client),
    '/v1/users/:id': member.id,
    '/v1/wallets/:id': await make.findWallet(client),
    '/v1/webhooks/deliveries/:id': await make.delivery(subscription),
    '/v1/webhooks/subscriptions/:id': subscription,
    '/v1/withdrawals/:id': await make.withdrawal(client),
  }
}

/** Makes rows that lists show and no path has an id of. */
async function unaddressedRows(
  { post }: Room,
  make: Makers,
  { client, account }: { client: string; account: string },
): Promise<void> {
  await make.note(client)
  await make.invited()
  await make.adjustment(client)
  await post('/v1/transfers', {
    fromWalletId: await make.findWallet(client, 'EUR'),
    toAccountId: account,
    amount: '5',
  })
}

/** Makes a saved view of a list that all colleagues share. */
function sharedView({ post }: Room) {
  const view = {
    list: 'deposits',
    name: 'Big ones',
    filters: {},
    look: { hidden: [], order: [], widths: {}, dense: false },
  }
  return post('/v1/saved-views', { ...view, shared: true })
}

/** Fills the parameters of a route's path from `ids`; throws if one is missing. */
export function fill(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/:\w+/g, (name, offset: number) => {
    const upTo = path.slice(0, offset) + name
    const id = ids[upTo]
    if (id === undefined) throw new Error(`no row is furnished for ${upTo}: add it to src/contract/seed-firm.ts`)
    return id
  })
}
