import { useEffect } from 'react'
import { isField } from '../../../lib/screen/screen-keys.ts'

/** Calls `open` when `?` is pressed outside of fields, whichever key of the keyboard types it. */
export const useHelpKey = (open: () => void): void => {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return
      event.preventDefault()
      open()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [open])
}
