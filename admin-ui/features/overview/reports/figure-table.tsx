import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { ScrollRegion } from '../../../components/show/scroll-region.tsx'
import { say } from './words.ts'

/** `right` aligns a column of figures to the right; a `long` text goes over several lines. */
type Heading = { title: string; right?: boolean; long?: boolean }
type FigureTableProps = {
  label: string
  headings: readonly Heading[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** Shows a report as a plain table, as wide as its figures: on a phone most of them fit without scrolling. */
export const FigureTable = ({ label, headings, rows }: FigureTableProps) => (
  <ScrollRegion className="figure-table" label={label}>
    <Table aria-label={label} verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          {headings.map(({ title, right }) => (
            <Table.Th key={title} {...(right && { ta: 'right' })}>
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ key, cells }) => (
          <Table.Tr key={key}>
            {headings.map(({ title, right, long }, index) => (
              <Table.Td
                key={title}
                {...(right && { ta: 'right', className: 'money' })}
                {...(long && { className: 'figure-text' })}
              >
                {cells[index]}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </ScrollRegion>
)

/** Shows the figures of a chart as a table, for readers who cannot see the chart. */
export const ChartTable = (props: FigureTableProps) => (
  <details className="figures">
    <summary>{say('reports.figures.summary')}</summary>
    <FigureTable {...props} />
  </details>
)
