import type { ReactNode } from 'react'
import type { Client } from './trader-names.ts'
import type { Overview, Trader } from './traders.api.ts'

/** A record that staff can add to a client: its button, and the form behind it. */
export type ClientAct = {
  label: string
  icon: ReactNode
  form: (client: Client, close: () => void) => ReactNode
  /** Set where it is needed so often that it stands in the head of the page. */
  first?: boolean
}

/** What a feature adds to the page of a client: a tab with its count, and what can be added there. */
export type ClientTab = {
  /** Its name in the address. */
  key: string
  label: string
  /** Which count of the overview stands beside the label. */
  records?: keyof Overview['records']
  act?: ClientAct
  panel: (trader: Trader) => ReactNode
}
