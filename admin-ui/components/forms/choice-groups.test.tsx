import { expect, test } from 'bun:test'
import { useState } from 'react'
import { press, pressButton, renderPage, screen, seen, within } from '../../testing/render.tsx'
import { BulkResults } from '../lists/bulk-results.tsx'
import { ChoiceGroups, type GroupedChoice } from './choice-groups.tsx'

type Event = 'deposit.settled' | 'deposit.failed' | 'kyc.approved'
const CHOICES: readonly GroupedChoice<Event>[] = [
  { value: 'deposit.settled', description: 'A deposit was settled', group: 'Deposits' },
  { value: 'kyc.approved', description: 'An identity was approved', group: 'Identity' },
  { value: 'deposit.failed', description: 'A deposit failed, see `reason`', group: 'Deposits' },
]
const Field = ({ onChoose, error }: { onChoose: (events: Event[]) => void; error?: string }) => {
  const [value, setValue] = useState<Event[]>(['kyc.approved'])
  return (
    <ChoiceGroups
      legend="Events"
      choices={CHOICES}
      value={value}
      error={error}
      onChange={(next) => {
        onChoose(next)
        setValue(next)
      }}
    />
  )
}

test('choices are shown by group, and read out by their names without symbols', async () => {
  await renderPage(<Field onChoose={() => undefined} />)
  const group = within(await seen('group', 'Events'))
  expect(group.getAllByRole('checkbox').map((box) => box.getAttribute('aria-label'))).toEqual([
    'A deposit was settled',
    'A deposit failed, see reason',
    'An identity was approved',
  ])
  expect(group.getByText('deposit.failed')).toBeDefined()
})

test('a click on a choice adds it to the chosen ones, or removes it', async () => {
  const chosen: Event[][] = []
  await renderPage(<Field onChoose={(events) => void chosen.push(events)} />)
  await press(await seen('checkbox', 'A deposit was settled'))
  await press(await seen('checkbox', 'An identity was approved'))
  expect(chosen).toEqual([['kyc.approved', 'deposit.settled'], ['deposit.settled']])
})

test('the message that none is chosen is shown at the choices', async () => {
  await renderPage(<Field onChoose={() => undefined} error="Choose at least one event" />)
  expect(within(await seen('group', 'Events')).getByText('Choose at least one event')).toBeDefined()
})

const results = [
  { id: 'wdr_1', ok: true, message: 'It can be paid now.' },
  { id: 'wdr_2', ok: false, message: 'You asked for this one.' },
]
const show = async (some: typeof results) => {
  const closed: true[] = []
  await renderPage(
    <BulkResults
      title="Approvals"
      done="Approved"
      results={some}
      getName={(id) => `Withdrawal ${id.at(-1)}`}
      onClose={() => void closed.push(true)}
    />,
  )
  return closed
}

test('the results of a bulk action have a line for each row with its name, the refused rows first', async () => {
  const closed = await show(results)
  expect((await seen('status', '')).textContent).toBe('1 of 2 done; each of the others says why it failed.')
  const [, first, second] = within(await seen('table', 'Approvals')).getAllByRole('row')
  expect(first?.textContent).toBe('Withdrawal 2Not doneYou asked for this one.')
  expect(second?.textContent).toBe('Withdrawal 1ApprovedIt can be paid now.')
  await pressButton('Done')
  expect(closed).toHaveLength(1)
})

test('the results of a bulk action name all refused rows, and up to 200 of the others', async () => {
  const many = Array.from({ length: 230 }, (_, at) => ({ id: `w${at}`, ok: at !== 229, message: '' }))
  await show(many)
  const [, first, ...others] = within(await seen('table', 'Approvals')).getAllByRole('row')
  expect(first?.textContent).toContain('Not done')
  expect(others).toHaveLength(200)
  expect(screen.getByText('29 more are done.')).toBeDefined()
})

test('the results of a bulk action without failures say nothing of rows that were not done', async () => {
  await show(results.slice(0, 1))
  expect((await seen('status', '')).textContent).toBe('1 of 1 done.')
  expect(screen.queryByText('Not done')).toBeNull()
})
