import type { CSSProperties } from 'react'

/** The style of a chart's tooltip. */
export const CHART_TIP: CSSProperties = {
  background: 'var(--page-bg)',
  border: '1px solid var(--line)',
  borderRadius: 7,
}

/** Returns the colour of a cell by its share, from none to all. */
export const buildHeatStyle = (part: number): CSSProperties => ({
  background: `color-mix(in srgb, var(--long) calc(${part.toFixed(2)} * var(--heat-most)), var(--line-soft))`,
})
