import { createContext } from 'react'

/** How many dialogs and drawers are open around a part of the page: its keys work while no further one is open. */
export const DialogDepth = createContext(0)
