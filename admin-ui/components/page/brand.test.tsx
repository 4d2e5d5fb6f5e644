import { expect, test } from 'bun:test'
import { renderPage, screen } from '../../testing/render.tsx'
import { meAs } from '../../testing/samples.ts'
import { Brand } from './brand.tsx'

test('a firm without a logo has the first letters of its name', async () => {
  const { tenant } = meAs('viewer')
  await renderPage(<Brand tenant={tenant} />)
  expect(await screen.findByText('MM')).toBeDefined()
  expect(document.querySelector('img')).toBeNull()
})
