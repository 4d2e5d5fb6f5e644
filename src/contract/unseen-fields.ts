type Unseen = { fields: readonly string[]; why: string; heldBy: string }

const unseen = (fields: string, why: string, heldBy: string): Unseen => ({
  fields: fields.split(' '),
  why,
  heldBy: `src/modules/${heldBy}.test.ts`,
})
const PROOF = 'it proves who asks: another one is refused'
const SECRET = 'it is a secret, which nothing shows'
const LAPSED = 'it is asked for once an approval lapsed, and anything but true is refused then'
const JUMP = 'it confirms a jump of a price that has waited for a day'
const TOKENS = 'credentials.accessToken credentials.appSecret credentials.verifyToken'
const CLICK = 'code url referrer firm utm.source utm.medium utm.campaign utm.term utm.content'

/**
 * Lists by operation the fields whose effect neither an answer, a list, the audit nor an event can show, with the
 * reason and the test that covers them. `effects.test.ts` refuses an entry that is no longer needed.
 */
export const UNSEEN: Readonly<Record<string, Unseen>> = {
  'system.keepRecoveryKey': unseen('words[].place words[].word', PROOF, 'box/system/recovery-key'),
  'auth.login': unseen('email password code', PROOF, 'firm/auth/auth.sign-in'),
  'auth.reauthenticate': unseen('password code', PROOF, 'firm/auth/auth.renewal'),
  'auth.changePassword': unseen('currentPassword newPassword', SECRET, 'firm/auth/auth.sign-in'),
  'auth.forgot': unseen('email', 'who has an account and who has none are answered alike', 'firm/auth/auth'),
  'auth.reset': unseen('token password', SECRET, 'firm/auth/auth.sign-in'),
  'auth.twoFactor.enable': unseen('code', PROOF, 'firm/auth/auth.sign-in'),
  'auth.twoFactor.disable': unseen('password code', PROOF, 'firm/auth/auth.throttle'),
  'users.acceptInvite': unseen('token password', SECRET, 'firm/auth/auth'),
  'mails.send': unseen('ids', 'it needs a mail server', 'base/mails/sending'),
  'deposits.create': unseen('repeatOf', 'a used reference is refused without it', 'firm/independence/two-people'),
  'withdrawals.reject': unseen('nothingSent', LAPSED, 'books/withdrawals/four-eyes'),
  'withdrawals.cancel': unseen('nothingSent', LAPSED, 'books/withdrawals/four-eyes'),
  'fx.rates.upsert': unseen('force', JUMP, 'books/fx/unconfirmed'),
  'fx.admin.set': unseen('force', JUMP, 'books/fx/unconfirmed'),
  'positions.sync': unseen(
    'positions[].corrects',
    'only the platform’s own bridge may say it, of a ticket that is closed',
    'books/positions/closings',
  ),
  'platforms.connections.create': unseen(
    'driver trust certificate password',
    'another one is refused, or needs others beside it; the password is in no answer',
    'terminals/connections/connections',
  ),
  'platforms.connections.update': unseen(
    'trust certificate login groups[].mask groups[].type',
    'where a connection leads is changed with its password only, which no answer has',
    'terminals/connections/connections',
  ),
  'platforms.connections.test': unseen('pending', 'nothing waits to be tested', 'terminals/connections/connections'),
  'platforms.connections.import': unseen(
    'groups dryRun',
    'the server of the sample has nobody to bring in',
    'overview/imports/imports.terminal',
  ),
  'platforms.connections.confirm': unseen('version', PROOF, 'terminals/connections/connections'),
  'accounts.open': unseen('group currency', 'another one is refused', 'terminals/accounts/open-account'),
  'accounts.changes': unseen(
    'leverage group signIn password',
    'exactly one of the fields is taken',
    'terminals/accounts/change-account',
  ),
  'accounts.passwords.reveal': unseen('token', SECRET, 'terminals/accounts/change-account'),
  'psp.create': unseen('secret', SECRET, 'books/psp/psp'),
  'ads.connections.create': unseen(TOKENS, SECRET, 'growth/ads/ads.webhook'),
  'ads.connections.update': unseen(TOKENS, SECRET, 'growth/ads/ads.webhook'),
  'affiliates.clicks.track': unseen(
    CLICK,
    'a click is written later, together with others',
    'growth/affiliates/clicks',
  ),
  'commissionPlans.calculate': unseen(
    'rules[].minDeposit rules[].minLots',
    'a trade that is tried is nobody’s first deposit',
    'growth/commissions/runs',
  ),
  'payouts.create': unseen('currency', 'what was earned in another currency is refused', 'growth/payouts/payouts'),
  'traders.import': unseen(
    'headLine',
    'the file of the sample has its heads on one line',
    'overview/imports/imports.real-files',
  ),
  'kyc.documents.confirm': unseen('key', 'the upload of that name is the document from then on', 'clients/kyc/kyc'),
  'sanctions.lists.load': unseen(
    'source files.sdn files.alt files.add force',
    'each source has files of its own form, so that none of these differs alone',
    'clients/sanctions/loading',
  ),
}
