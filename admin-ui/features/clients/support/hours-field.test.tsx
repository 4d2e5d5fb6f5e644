import { expect, test } from 'bun:test'
import { useState } from 'react'
import { fill, pressButton, renderPage, screen, seen } from '../../../testing/render.tsx'
import type { SlaPolicies } from '../../firm/settings/policies.api.ts'
import { HoursField } from './hours-field.tsx'

type Hours = SlaPolicies['hours']
const WEEK: Hours = [
  { day: 1, from: '09:00', to: '12:00' },
  { day: 3, from: '10:00', to: '16:00' },
  { day: 1, from: '13:00', to: '18:00' },
]
const Held = ({ onChange, error }: { onChange: (hours: Hours) => void; error?: string }) => {
  const [value, setValue] = useState<Hours>(WEEK)
  return (
    <HoursField
      value={value}
      error={error}
      onChange={(next) => {
        onChange(next)
        setValue(next)
      }}
    />
  )
}
const open = async (error?: string) => {
  const changes: Hours[] = []
  await renderPage(<Held onChange={(hours) => void changes.push(hours)} {...(error !== undefined && { error })} />)
  await screen.findByText('Working hours')
  return changes
}

test('a day shows each of its intervals, and days without one are closed', async () => {
  await open()
  expect(screen.getAllByLabelText('Monday, from').map((field) => Reflect.get(field, 'value'))).toEqual([
    '09:00',
    '13:00',
  ])
  expect(screen.getByLabelText('Wednesday, to')).toHaveProperty('value', '16:00')
  expect(screen.getAllByText('Closed')).toHaveLength(5)
})

test('a change of a day’s second interval leaves the first one as it is', async () => {
  const changes = await open()
  const [, second] = screen.getAllByLabelText('Monday, to')
  if (!second) throw new Error('Monday has two intervals')
  await fill(second, '17:30')
  expect(changes.at(-1)).toEqual([
    { day: 1, from: '09:00', to: '12:00' },
    { day: 3, from: '10:00', to: '16:00' },
    { day: 1, from: '13:00', to: '17:30' },
  ])
})

test('an interval until midnight ends at 24:00, and one that ends before it begins stays as typed', async () => {
  const changes = await open()
  const [first] = screen.getAllByLabelText('Monday, to')
  if (!first) throw new Error('Monday has two intervals')
  await fill(first, '00:00')
  expect(changes.at(-1)?.[0]).toEqual({ day: 1, from: '09:00', to: '24:00' })
  expect(first).toHaveProperty('value', '00:00')
  await fill(first, '02:00')
  expect(changes.at(-1)?.[0]).toEqual({ day: 1, from: '09:00', to: '02:00' })
})

test('an interval of hours is removed by the button that names it, and added by the button of its day', async () => {
  const changes = await open()
  await pressButton('Remove 09:00 to 12:00 on Monday')
  expect(changes.at(-1)).toEqual([
    { day: 3, from: '10:00', to: '16:00' },
    { day: 1, from: '13:00', to: '18:00' },
  ])
  await pressButton('Add hours on Sunday')
  expect(changes.at(-1)?.at(-1)).toEqual({ day: 7, from: '09:00', to: '18:00' })
  expect(await seen('button', 'Remove 09:00 to 18:00 on Sunday')).toBeDefined()
})

test('an error of the working hours is shown at their field', async () => {
  await open('Overlaps with hours.2')
  expect(screen.getByText('Overlaps with hours.2')).toBeDefined()
})
