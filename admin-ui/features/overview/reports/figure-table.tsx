import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { ScrollRegion } from '../../../components/show/scroll-region.tsx'
import { usePhone } from '../../../lib/screen/use-phone.ts'
import { say } from './words.ts'

/** `right` aligns a column of figures to the right; a `long` text goes over several lines. */
type Heading = { title: string; right?: boolean; long?: boolean }
type FigureTableProps = {
  label: string
  headings: readonly Heading[]
  /** A cell without a figure is null. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** A phone has room for this many columns; the rows of wider tables are cards there. */
const PHONE_COLUMNS = 4

/** Shows a report as a plain table, as wide as its figures, or as cards on a phone. */
export const FigureTable = (props: FigureTableProps) =>
  usePhone() && props.headings.length > PHONE_COLUMNS ? <FigureCards {...props} /> : <PlainTable {...props} />

/** A card has the name of its row, and below it the figures that are not empty. */
const FigureCards = ({ label, headings: [, ...headings], rows }: FigureTableProps) => (
  <ul className="figure-cards" aria-label={label}>
    {rows.map(({ key, cells: [name, ...cells] }) => (
      <li key={key}>
        <strong>{name}</strong>
        <dl>
          {headings.map(
            ({ title, right }, index) =>
              hasFigure(cells[index]) && (
                <div key={title}>
                  <dt>{title}</dt>
                  <dd {...(right && { className: 'money' })}>{cells[index]}</dd>
                </div>
              ),
          )}
        </dl>
      </li>
    ))}
  </ul>
)

const hasFigure = (cell: ReactNode): boolean => cell !== null && cell !== undefined && cell !== ''

const PlainTable = ({ label, headings, rows }: FigureTableProps) => (
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
                {cells[index] ?? <span className="dim">{say('reports.tax.nothing')}</span>}
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
