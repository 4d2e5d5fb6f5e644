import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Role } from '../../../lib/api/session.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { type Answers, refusal } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { SettingsPage } from '../../overview/settings-page/settings-page.tsx'
import type { ApprovalPolicy, Reasons, SlaPolicies } from './policies.api.ts'

const policy: ApprovalPolicy = {
  version: 2,
  currency: 'EUR',
  threshold: '10000.00',
  minKycLevel: 1,
  ownMoneyLimit: '1000.00',
  simulation: null,
}
const target = { firstReplyMinutes: 60, resolutionMinutes: 480, roundTheClock: false }
const sla: SlaPolicies = {
  version: 5,
  timeZone: 'Europe/Lisbon',
  hours: [{ day: 1, from: '09:00', to: '18:00' }],
  holidays: ['2026-12-25'],
  targets: { low: target, normal: target, high: target, urgent: { ...target, roundTheClock: true } },
}
const reasons: Reasons = {
  version: 3,
  reasons: [{ code: 'blurred', staffText: 'Not readable', clientText: 'Please send a sharper picture', kind: 'retry' }],
}
type Tab = 'approvals' | 'support' | 'identity'

const open = (tab: Tab, answers: Answers = {}, role: Role = 'owner') =>
  renderPage(<SettingsPage />, {
    at: `/settings?tab=${tab}`,
    route: '/settings',
    role,
    answers: {
      'auth.me': meAs(role),
      'tenants.current': refusal(503, 'unavailable', 'Busy.'),
      'approvalPolicies.get': policy,
      'support.sla.get': sla,
      'kyc.rejectReasons.get': reasons,
      ...answers,
    },
  })

test('the owner sets the amount from which two people approve', async () => {
  const { server } = await open('approvals', { 'approvalPolicies.set': { ...policy, version: 3 } })
  await fill(await screen.findByLabelText(/^Large from/), '25000')
  await press(await seen('button', 'Save policy'))
  expect(await screen.findByText('Policy saved.')).toBeDefined()
  const [sent] = server.of('approvalPolicies.set')
  // an amount that the firm has not set is not sent, for an empty text is no amount
  expect(sent?.body).toEqual({ currency: 'EUR', threshold: '25000.00', minKycLevel: 1 })
  expect(sent?.ifMatch).toBe('"2"')
})

/** Returns a policy with every part that the interface takes, required or optional, and a different sum in each. */
const wholePolicy = async () => {
  const snapshot = await Bun.file(join(import.meta.dir, '../../../../src/contract/openapi.snapshot.json')).json()
  const properties: Record<string, { $ref?: string }> = snapshot['schema WithdrawalPolicyIn'].properties
  const parts = Object.keys(properties)
  const amounts = parts.filter((part) => properties[part]?.$ref?.endsWith('/Amount'))
  const set = Object.fromEntries(amounts.map((part, at) => [part, `${at + 2}0000.00`]))
  return { parts, set, whole: { ...policy, ...set } }
}

test('saving the approval policy sends all of its parts, since a missing part would be reset', async () => {
  const { parts, whole } = await wholePolicy()
  const { server } = await open('approvals', {
    'approvalPolicies.get': whole,
    'approvalPolicies.set': { ...whole, version: 3 },
  })
  await press(await seen('button', 'Save policy'))
  await waitFor(() => expect(server.of('approvalPolicies.set')).toHaveLength(1))
  expect(Object.keys(Object(server.of('approvalPolicies.set')[0]?.body)).toSorted()).toEqual(parts.toSorted())
})

test('each amount of the approval policy has a field, which refuses an invalid amount', async () => {
  const { set, whole } = await wholePolicy()
  const { server } = await open('approvals', { 'approvalPolicies.get': whole })
  for (const amount of Object.values(set)) {
    const field = await screen.findByDisplayValue(groupDigits(amount))
    await fill(field, 'much')
    await pressButton('Save policy')
    expect(await screen.findAllByText(/^This is not an amount/)).toHaveLength(1)
    expect(server.of('approvalPolicies.set')).toEqual([])
    await fill(field, amount)
  }
})

test('an admin can read the approval policy and not save it', async () => {
  await open('approvals', {}, 'admin')
  expect(await screen.findByText(/^10,000\.00 EUR$/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Save policy' })).toBeNull()
})

test('service targets are typed as hours and saved as minutes, and holidays are saved in order', async () => {
  const { server } = await open('support', { 'support.sla.set': { ...sla, version: 6 } })
  const reply = await screen.findByLabelText('First reply, Urgent')
  expect(reply).toHaveProperty('value', '1')
  await fill(reply, 'soon')
  await pressButton('Save service levels')
  expect(await screen.findByText('Such as 8 or 0.5, up to 1600')).toBeDefined()
  await fill(reply, '0.5')
  await press(screen.getByLabelText('Round the clock, Low'))
  await fill(screen.getByLabelText(/^Holidays/, { selector: 'input:not([type=hidden])' }), '2026-01-01{Enter}')
  await pressButton('Save service levels')
  await waitFor(() => expect(server.of('support.sla.set')).toHaveLength(1))
  expect(server.of('support.sla.set')[0]).toMatchObject({ ifMatch: '"5"' })
  expect(server.of('support.sla.set')[0]?.body).toEqual({
    timeZone: 'Europe/Lisbon',
    hours: [{ day: 1, from: '09:00', to: '18:00' }],
    holidays: ['2026-01-01', '2026-12-25'],
    targets: {
      low: { ...target, roundTheClock: true },
      normal: target,
      high: target,
      urgent: { ...target, firstReplyMinutes: 30, roundTheClock: true },
    },
  })
})

test('working hours are added to one day of the calendar and removed from another', async () => {
  const { server } = await open('support', { 'support.sla.set': { ...sla, version: 6 } })
  await pressButton('Add hours on Sunday')
  await pressButton('Remove 09:00 to 18:00 on Monday')
  await pressButton('Save service levels')
  await waitFor(() => expect(server.of('support.sla.set')).toHaveLength(1))
  expect(server.of('support.sla.set')[0]?.body).toMatchObject({ hours: [{ day: 7, from: '09:00', to: '18:00' }] })
})

test('a reason for rejection is added, and a final one may revoke approvals', async () => {
  const { server } = await open('identity', { 'kyc.rejectReasons.set': { ...reasons, version: 4 } })
  await pressButton('Add a reason')
  await pressButton('Save reasons')
  expect(await screen.findByText('Small letters, digits and _')).toBeDefined()
  const added = within(await seen('group', 'New reason'))
  await fill(added.getByRole('textbox', { name: /^Code/ }), 'forged')
  await fill(added.getByRole('textbox', { name: /^For the client/ }), 'No')
  await press(added.getByRole('combobox', { name: /^Afterwards/ }))
  await press(await seen('option', 'Final'))
  await fill(added.getByRole('textbox', { name: /^For staff/ }), 'Forged')
  await press(within(await seen('group', 'Forged')).getByRole('checkbox', { name: /^Takes back/ }))
  await pressButton('Save reasons')
  expect(await screen.findByText('Reasons saved.')).toBeDefined()
  expect(server.of('kyc.rejectReasons.set')[0]).toMatchObject({
    body: {
      reasons: [
        { code: 'blurred', kind: 'retry', revokes: false },
        { code: 'forged', staffText: 'Forged', clientText: 'No', kind: 'final', revokes: true },
      ],
    },
    ifMatch: '"3"',
  })
})

test('the last reason for rejection is removed, and the page says what that means', async () => {
  const { server } = await open('identity', { 'kyc.rejectReasons.set': { version: 4, reasons: [] } })
  await pressButton('Remove blurred')
  expect(await screen.findByText(/^No reasons: staff write their own text/)).toBeDefined()
  await pressButton('Save reasons')
  await waitFor(() => expect(server.of('kyc.rejectReasons.set')[0]?.body).toEqual({ reasons: [] }))
})

test('a tab with typed text asks before it is left', async () => {
  await open('identity')
  await fill(await screen.findByRole('textbox', { name: /^For staff/ }), 'Other')
  await press(await seen('tab', 'Firm'))
  expect(await seen('dialog', 'Discard changes?')).toBeDefined()
  await pressButton('Keep editing')
  expect(await screen.findByRole('textbox', { name: /^For staff/ })).toHaveProperty('value', 'Other')
})

test.each([
  ['approvals', 'Save policy', 'approvalPolicies.set'],
  ['support', 'Save service levels', 'support.sla.set'],
  ['identity', 'Save reasons', 'kyc.rejectReasons.set'],
] as const)('rules under “%s” that a colleague changed meanwhile are not overwritten', async (tab, save, id) => {
  const { server } = await open(tab, { [id]: refusal(412, 'version_mismatch', 'A colleague changed it.') })
  await pressButton(save)
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  expect(server.of(id)).toHaveLength(1)
})

test('the page of approvals shows every rule that can hold a payment, with the figures of the firm', async () => {
  await open('approvals')
  const amounts = within(await screen.findByRole('list', { name: 'Rules by amount' }))
  expect(amounts.getAllByRole('listitem')).toHaveLength(8)
  expect(amounts.getByText(/^Below 10,000.00 EUR one manager or higher approves/)).toBeDefined()
  const people = within(screen.getByRole('list', { name: 'Rules by person' }))
  expect(people.getByText(/approves alone up to 1,000.00 EUR in 24 hours/)).toBeDefined()
  expect(people.getByText(/identity level 1 or higher/)).toBeDefined()
})
