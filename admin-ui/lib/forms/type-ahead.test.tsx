import { expect, test } from 'bun:test'
import { Select } from '@mantine/core'
import { useState } from 'react'
import { keys, renderPage, seen, waitFor } from '../../testing/render.tsx'

const Choice = () => {
  const [value, setValue] = useState<string | null>(null)
  return <Select label="Move to" data={['New', 'Contacted', 'Converted']} {...{ value }} onChange={setValue} />
}

test('the first letters of an option open a choice and mark it, and Enter takes it', async () => {
  await renderPage(<Choice />)
  const field = await seen('combobox', 'Move to')
  await keys('{Tab}')
  expect(document.activeElement).toBe(field)
  await keys('conv')
  const wanted = await seen('option', 'Converted')
  await waitFor(() => expect(field.getAttribute('aria-activedescendant')).toBe(wanted.id))
  await keys('{Enter}')
  await waitFor(() => expect(field).toHaveProperty('value', 'Converted'))
})
