import { type ComponentProps, lazy, Suspense } from 'react'
import { PageLoader } from '../../../components/page/page-loader.tsx'

// The chart library is as large as the rest of the page, so the figures do not wait for it.
const Bars = lazy(async () => ({ default: (await import('./bars.tsx')).Bars }))

/** Shows a bar chart once its library is loaded. */
export const Chart = (props: ComponentProps<typeof Bars>) => (
  <Suspense fallback={<PageLoader />}>
    <Bars {...props} />
  </Suspense>
)
