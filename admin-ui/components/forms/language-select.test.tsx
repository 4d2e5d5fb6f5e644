import { expect, test } from 'bun:test'
import { renderPage } from '../../testing/render.tsx'
import { LanguageSelect } from './language-select.tsx'

const countCrosses = async (value: string): Promise<number> => {
  await renderPage(<LanguageSelect value={value} />)
  return document.querySelectorAll('.mantine-InputClearButton-root, .mantine-Select-clearButton').length
}

test('a language can be cleared when one is chosen', async () => {
  expect(await countCrosses('de')).toBe(1)
})

test('an empty language field has no button to clear it', async () => {
  expect(await countCrosses('')).toBe(0)
})
