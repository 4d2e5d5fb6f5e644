import { expect, test } from 'bun:test'
import { renderPage, seen } from '../../testing/render.tsx'
import { ListSkeleton } from '../lists/list-empty.tsx'
import { PageLoader } from './page-loader.tsx'

test.each([
  ['page', PageLoader],
  ['list', ListSkeleton],
])('a %s that loads is named to a screen reader', async (_, Loading) => {
  await renderPage(<Loading />)
  expect(await seen('progressbar', 'Loading')).toBeDefined()
})
