import type { ReactNode } from 'react'
import type { FileCell } from '../../lib/csv/list-csv.ts'

export type Column<T> = {
  key: string
  title: string
  render: (row: T) => ReactNode
  align?: 'left' | 'right' | 'center'
  /** The width in pixels, for a value that loads after its row; by default the width of the first rows’ text. */
  width?: number
  /** The API's name for sorting by it. */
  sort?: string
  /** Whether the first press sorts from the least to the greatest, as for names. */
  upFirst?: boolean
  /** Why the list cannot be sorted by it at present. */
  unsorted?: string
  /** What the column is in the file of the list; by default the API's column of the same name. */
  file?: FileCell
  /** Hidden until the reader chooses it. */
  optional?: boolean
  /** Left out on a phone, unless `card` puts it on the second line there. */
  wide?: boolean
  card?: boolean
  /** Draws the value on a card, if it would say too little there without the title of its column. */
  renderCard?: (row: T) => ReactNode
}

/** The width of a column with the name of a colleague, since the names of the staff load after the rows. */
export const NAME_WIDTH = 140

/** Whether a column holds the buttons of its row; it has no title. */
export const holdsButtons = ({ title }: { title: string }): boolean => title === ''
