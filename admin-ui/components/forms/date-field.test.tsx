import { expect, test } from 'bun:test'
import { useState } from 'react'
import { HALF_DAY } from '../../lib/text/day-text.ts'
import { act, fill, keys, press, pressButton, renderPage, screen, seen, waitFor } from '../../testing/render.tsx'
import { DateField } from './date-field.tsx'

let held = ''
const Form = ({ value }: { value: string }) => {
  const [day, setDay] = useState(value)
  held = day
  return (
    <>
      <DateField label="Since" value={day} onChange={setDay} />
      <button type="button" onClick={() => setDay('')}>
        Clear
      </button>
    </>
  )
}
const field = (): HTMLInputElement => screen.getByLabelText<HTMLInputElement>('Since')

test('a day is typed in the form of the language or as an ISO day, and written in the form when the field is left', async () => {
  await renderPage(<Form value="" />)
  expect(field().placeholder).toBe('mm/dd/yyyy')
  await fill(field(), '2/1/2026')
  expect(held).toBe('2026-02-01')
  await fill(field(), '2026-12-31')
  expect(held).toBe('2026-12-31')
  await keys('{Tab}')
  expect(field().value).toBe('12/31/2026')
  await pressButton('Clear')
  expect(field().value).toBe('')
})

test('an incomplete day is kept as its mark, and said when the field is left', async () => {
  await renderPage(<Form value="2026-12-31" />)
  await fill(field(), '12/31')
  expect([held, screen.queryByText(/^Type a whole day/)]).toEqual([HALF_DAY, null])
  await keys('{Tab}')
  expect(screen.getByText('Type a whole day such as 12/31/2026, or clear it')).toBeDefined()
  expect(field().value).toBe('12/31')
})

test('a day is taken from the calendar, which opens at the day of the field', async () => {
  await renderPage(<Form value="2026-12-31" />)
  await pressButton('Open the calendar')
  await press(await seen('button', 'Thursday, December 24, 2026'))
  await waitFor(() => expect([held, field().value]).toEqual(['2026-12-24', '12/24/2026']))
  expect(document.activeElement).toBe(field())
})

test('a day from the calendar stays where the field is left before it is drawn again', async () => {
  await renderPage(<Form value="2026-12-31" />)
  await pressButton('Open the calendar')
  const day = await seen('button', 'Thursday, December 24, 2026')
  // together, as on a busy machine
  act(() => {
    day.click()
    field().dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
  })
  await waitFor(() => expect([held, field().value]).toEqual(['2026-12-24', '12/24/2026']))
})
