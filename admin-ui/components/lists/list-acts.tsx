import { Button, Kbd } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RowKey } from '../../lib/lists/use-list-keys.ts'
import { useScreenKeys } from '../../lib/screen/screen-keys.ts'
import type { BulkResult } from './send-in-groups.ts'

/** Ends an act on chosen rows: those that failed stay chosen, the others no longer are. */
export type Settle = (results: readonly BulkResult[]) => void

/** The rows that an act was asked for, and how the choice ends. */
export type Asked<T> = { rows: T[]; settle: Settle }

/** An act on the chosen rows of a list, or by its key on the marked row. It asks before anything is done. */
export type ListAct<T> = {
  /** Its key, in lower case. */
  hotkey?: string
  label: string
  icon?: ReactNode
  /** Whether a row admits it. The act itself says which of several chosen rows are left out. */
  when?: (row: T) => boolean
  /** Whether it is offered for these rows; by default for any number of them. */
  fits?: (rows: readonly T[]) => boolean
  /** Whether it is an act on the marked row alone, and has no button for chosen rows. */
  single?: boolean
  run: (asked: Asked<T>) => void
}

/** Returns the keys of acts for the marked row. */
export const toRowKeys = <T,>(acts: readonly ListAct<T>[]): RowKey<T>[] =>
  acts.flatMap(({ hotkey, label, when, fits, run }) =>
    hotkey === undefined
      ? []
      : [
          {
            key: hotkey,
            does: label,
            when: (row: T) => (when?.(row) ?? true) && (fits?.([row]) ?? true),
            act: (row: T) => run({ rows: [row], settle: () => undefined }),
          },
        ],
  )

type ListActsProps<T> = Asked<T> & { acts: readonly ListAct<T>[] }

/** Shows the buttons for the chosen rows, the main act first; their keys then act on these rows. */
export const ListActs = <T,>({ acts, ...asked }: ListActsProps<T>) => {
  const { rows } = asked
  const offered = acts.filter(({ single = false, fits }) => !single && (fits?.(rows) ?? true))
  useScreenKeys(
    offered.flatMap(({ hotkey, label, run }) =>
      hotkey === undefined ? [] : [{ key: hotkey, does: label, act: () => run(asked) }],
    ),
  )
  return offered.map(({ hotkey, label, icon, run }, at) => (
    <Button
      key={label}
      size="xs"
      leftSection={icon}
      {...(at > 0 && { variant: 'default' })}
      onClick={() => run(asked)}
      {...(hotkey !== undefined && {
        'aria-keyshortcuts': hotkey.toUpperCase(),
        rightSection: (
          <Kbd size="xs" aria-hidden visibleFrom="sm">
            {hotkey.toUpperCase()}
          </Kbd>
        ),
      })}
    >
      {label}
    </Button>
  ))
}
