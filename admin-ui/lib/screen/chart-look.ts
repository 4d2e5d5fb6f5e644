import type { CSSProperties } from 'react'

/** How a chart's hover looks. */
export const CHART_TIP: CSSProperties = {
  background: 'var(--page-bg)',
  border: '1px solid var(--line)',
  borderRadius: 7,
}

/** The colour of a cell by its share, from none to all. */
export const heatOf = (part: number): CSSProperties => ({
  background: `color-mix(in srgb, var(--long) calc(${part.toFixed(2)} * var(--heat-most)), var(--line-soft))`,
})
