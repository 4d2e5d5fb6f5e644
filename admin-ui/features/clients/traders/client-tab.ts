import type { ReactNode } from 'react'
import type { Client } from './trader-names.ts'
import type { Overview, Trader } from './traders.api.ts'

/** Describes a record that staff can add to a client: its button, and the form behind it. */
export type ClientAct = {
  label: string
  icon: ReactNode
  form: (client: Client, close: () => void) => ReactNode
  /** This is set if the record is added so often that its button is in the head of the page. */
  first?: boolean
}

/** Describes what a feature adds to a client's page: a tab with its count, and what can be added there. */
export type ClientTab = {
  /** This is the name of the tab in the address. */
  key: string
  label: string
  /** This count of the overview is shown beside the label. */
  records?: keyof Overview['records']
  act?: ClientAct
  panel: (trader: Trader) => ReactNode
}
