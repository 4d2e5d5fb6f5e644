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

test('a day has its own hours with pauses, and other days are closed', async () => {
  await open()
  expect(screen.getAllByLabelText('Monday, from').map((field) => Reflect.get(field, 'value'))).toEqual([
    '09:00',
    '13:00',
  ])
  expect(screen.getByLabelText('Wednesday, to')).toHaveProperty('value', '16:00')
  expect(screen.getAllByText('Closed')).toHaveLength(5)
})

test('the second hours of a day are changed alone', async () => {
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

test('hours to midnight end with the day, and those that end earlier than they begin stay as they are typed', async () => {
  const changes = await open()
  const [first] = screen.getAllByLabelText('Monday, to')
  if (!first) throw new Error('Monday has two intervals')
  await fill(first, '00:00')
  expect(changes.at(-1)?.[0]).toEqual({ day: 1, from: '09:00', to: '24:00' })
  expect(first).toHaveProperty('value', '00:00')
  await fill(first, '02:00')
  expect(changes.at(-1)?.[0]).toEqual({ day: 1, from: '09:00', to: '02:00' })
})

test('hours are removed by their button’s name, and added to the day', async () => {
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

test('an error of the hours is shown at them', async () => {
  await open('Overlaps with hours.2')
  expect(screen.getByText('Overlaps with hours.2')).toBeDefined()
})
