import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { DESKTOP, PHONE } from '../../../testing/dom.ts'
import { withdrawal as sample } from '../../../testing/money-samples.ts'
import { keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs, trader } from '../../../testing/samples.ts'
import { WithdrawalPage } from './withdrawal-page.tsx'
import type { Review } from './withdrawals.api.ts'

const HOUR = 3_600_000
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR + 20_000).toISOString()
const LAPSED = '2026-01-05T10:00:00.000Z'
const { review: fine } = sample()
if (!fine) throw new Error('a withdrawal that waits has its review')
type Given = ReturnType<typeof sample>
const checked = (with_: Partial<Review>): Review => ({ ...fine, ...with_ })
const open = (with_: Partial<Given> = {}, role: Role = 'manager', answers: Answers = {}, width = DESKTOP) =>
  renderPage(<WithdrawalPage />, {
    at: '/withdrawals/wdr_1',
    route: '/withdrawals/$id',
    role,
    width,
    answers: { 'auth.me': meAs(role), 'withdrawals.get': sample(with_), 'traders.get': trader(), ...answers },
  })
/** Finds the text beside a label of the facts. */
const findFact = async (label: string): Promise<string | null | undefined> =>
  (await screen.findByText(label, { selector: 'dt' })).nextElementSibling?.textContent
const buttons = async (): Promise<string[]> => {
  await seen('heading', '1,500.00 EUR')
  return ['Approve', 'Mark as paid', 'Reject', 'More'].filter((name) => screen.queryByRole('button', { name }))
}

test.each([
  ['manager', 'requested', ['Approve', 'Reject', 'More']],
  ['manager', 'approved', ['Mark as paid', 'Reject']],
  ['manager', 'paid', []],
  ['operator', 'requested', ['More']],
  ['operator', 'approved', []],
  ['viewer', 'requested', []],
] as const)('a withdrawal offers the role %s in the status %s the actions %j', async (role, status, may) => {
  await open({ status }, role)
  expect(await buttons()).toEqual([...may])
})

test('a withdrawal that a colleague requested shows the colleague’s name', async () => {
  await open({ requestedBy: 'usr_marco' })
  await waitFor(async () => expect(await findFact('Requested by')).toBe('Marco Bianchi'))
})

test.each([
  [null, 'The client'],
  ['usr_gone', 'Former colleague'],
])('a withdrawal that %p requested shows “%s”', async (requestedBy, words) => {
  await open({ requestedBy })
  await waitFor(async () => expect(await findFact('Requested by')).toBe(words))
})

test('an operator sees only a part of the destination, reads who sees all of it, and cannot copy it', async () => {
  const destination = { id: 'dst_1', kind: 'bank', reference: 'PT50•••0154', holder: 'Ana Lima' } as const
  await open({ destination }, 'operator')
  expect(await findFact('Reference')).toBe('PT50•••0154')
  expect(screen.getByText(/shown from the role manager on/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Copy: Reference' })).toBeNull()
})

test('the details of a payment are copied from the withdrawal’s page', async () => {
  await open()
  for (const label of ['Amount', 'Reference', 'Holder']) expect(await seen('button', `Copy: ${label}`)).toBeDefined()
  expect(await findFact('Reference')).toBe('PT50000201231234567890154')
  expect(screen.queryByText('Payment reference')).toBeNull()
})

test('a reader who may not approve is told why, with grouped amounts, and no dialog opens', async () => {
  const why = 'Above 10000.00 EUR another person decides.'
  await open({ review: checked({ viewer: { mayApprove: false, why, noteOn: [], needsSecond: null } }) })
  expect(await screen.findByText('You cannot approve this withdrawal')).toBeDefined()
  expect(screen.getByText('Above 10,000.00 EUR another person decides.')).toBeDefined()
  const button = await seen('button', 'Approve')
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await press(button)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test.each([
  [30, /The approval lapses tomorrow; then/, 'Lapses tomorrow'],
  [5, /The approval lapses in 5 hours; then/, 'Lapses in 5 hours'],
] as const)('the page warns %d hours before the approval of a withdrawal lapses', async (hours, notice, fact) => {
  await open({ status: 'approved', approvedAt: LAPSED, payBefore: inHours(hours) })
  expect((await screen.findByRole('alert')).textContent).toMatch(notice)
  expect(await findFact('Pay before')).toBe(fact)
})

test('an approval with days left shows no warning, only the day until which it counts', async () => {
  await open({ status: 'approved', approvedAt: LAPSED, payBefore: inHours(100) })
  expect(await findFact('Pay before')).not.toContain('Lapses')
  expect(screen.queryByText('Not paid yet')).toBeNull()
})

test.each([
  ['requested', 'Its approval lapsed before it was paid', 'Lapsed, to approve'],
  ['approved', 'Approved again after a lapse', 'Lapsed, to pay'],
] as const)('a lapsed withdrawal that is %s is shown as possibly sent', async (status, title, badge) => {
  await open({ status, lapsedAt: LAPSED })
  expect(await screen.findByText(title)).toBeDefined()
  expect(screen.getByText(badge)).toBeDefined()
})

test('a withdrawal that was paid after a lapse has no warning', async () => {
  await open({ status: 'paid', lapsedAt: LAPSED, paidAt: LAPSED, paymentReference: 'PAY-7' })
  expect(await findFact('Payment reference')).toBe('PAY-7')
  expect(screen.queryByText(/lapse/i)).toBeNull()
})

test('the text for the client and the note for colleagues are shown apart', async () => {
  await open({ status: 'rejected', rejectionDetail: 'Please send your bank statement.', rejectionNote: 'Odd IBAN' })
  expect(await findFact('Text for the client')).toBe('Please send your bank statement.')
  expect(await findFact('Internal note')).toBe('Odd IBAN')
})

test('every check shows its result in words, and the header counts the failed ones', async () => {
  const check = (name: string, state: Review['checks'][number]['state'], text: string) => ({
    name,
    state,
    text,
    ok: state === 'fine',
    blocks: state === 'blocks',
  })
  await open({
    review: checked({
      checks: [
        check('kyc', 'fine', 'KYC level 2'),
        check('net_deposits', 'look_closer', 'Deposited 12000.00 EUR'),
        check('iban', 'not_checked', 'No IBAN'),
        check('trader', 'blocks', 'Legal hold'),
        check('holder', 'look_closer', 'The holder is A. Lima'),
      ],
    }),
  })
  const rows = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(rows).toEqual([
    'IdentityKYC level 2Fine',
    'Net depositsDeposited 12,000.00 EURLook closer',
    'IBANNo IBANNot checked',
    'ClientLegal holdStops it',
    'HolderThe holder is A. LimaLook closer',
  ])
  expect(screen.getByText(/^1 stop it, 2 to look closer at, 1 not checked\. Worked out now/)).toBeDefined()
})

test('each decision shows whose it was and whether it still counts', async () => {
  const vote = (name: string, decision: 'approve' | 'reject', lapsed = false): Review['decisions'][number] => ({
    userId: `usr_${name}`,
    name,
    role: 'manager',
    decision,
    lapsed,
    note: null,
    createdAt: LAPSED,
  })
  await open({
    review: checked({
      approvalsNeeded: 2,
      adminNeeded: true,
      reason: 'above 10000.00 EUR',
      decisions: [vote('Marco', 'approve', true), { ...vote('', 'approve'), note: 'Called' }, vote('Ingrid', 'reject')],
    }),
  })
  const part = within((await seen('heading', 'Decisions')).closest('section') ?? document.body)
  const rows = part.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(rows[0]).toMatch(/^Marco · Manager.*Counts no more$/)
  expect(rows[1]).toMatch(/^Former colleague · Manager.*Called.*Approved$/)
  expect(rows[2]).toMatch(/^Ingrid · Manager.*Rejected$/)
  expect(part.getByText('1 of 2: one more, an admin or higher.')).toBeDefined()
  expect(part.getByText('Approval policy: above 10,000.00 EUR.')).toBeDefined()
})

test('“Try again” reads a withdrawal that could not be read', async () => {
  const { server } = await open({}, 'manager', { 'withdrawals.get': refusal(422, 'broken', 'Not now.') })
  await seen('button', 'Try again')
  server.now({ 'withdrawals.get': sample() })
  await pressButton('Try again')
  expect(await seen('heading', '1,500.00 EUR')).toBeDefined()
})

test('a withdrawal names who can approve it, alone or with a second person, and why the reader needs one', async () => {
  const helper = (name: string, enough: boolean) => ({ userId: `usr_${name}`, name, role: 'manager', enough })
  await open({
    review: checked({
      helpers: [helper('Rafael', true), helper('Ingrid', false)],
      viewer: { mayApprove: true, why: null, noteOn: [], needsSecond: 'you lifted a block' },
    }),
  })
  expect(await screen.findByText('Can approve: Rafael (Manager).')).toBeDefined()
  expect(screen.getByText('With a second person: Ingrid (Manager).')).toBeDefined()
  expect(screen.getByText('Your approval needs a second person: you lifted a block.')).toBeDefined()
})

test('a withdrawal that nobody can approve says what to do', async () => {
  await open({ review: checked({ helpers: [] }) })
  expect(await screen.findByText(/^Nobody here can approve it now. Invite a colleague/)).toBeDefined()
})

test.each([
  [PHONE, ['Checks', 'Money']],
  [DESKTOP, ['Money', 'Checks']],
])('at a width of %d px the first sections of a withdrawal are %j', async (width, order) => {
  await open({}, 'manager', {}, width)
  await seen('heading', 'Checks')
  const heads = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent ?? '')
  expect(heads.filter((head) => order.includes(head))).toEqual(order)
})

test.each([
  ['manager', 'requested', true, 1],
  ['manager', 'requested', false, 0],
  ['operator', 'requested', true, 0],
  ['manager', 'approved', true, 0],
] as const)('the key A of the role %s on a withdrawal that is %s (may approve: %j) opens %i form', async (...row) => {
  const [role, status, mayApprove, forms] = row
  await open({ status, review: checked({ viewer: { ...fine.viewer, mayApprove } }) }, role)
  await seen('heading', '1,500.00 EUR')
  await keys('a')
  await waitFor(() => expect(screen.queryAllByRole('dialog')).toHaveLength(forms))
})
