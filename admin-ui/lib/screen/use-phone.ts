import { useMediaQuery } from '@mantine/hooks'
import { usePrinting } from './use-printing.ts'

const PHONE = '(max-width: 48em)'

/**
 * Returns whether the page is as narrow as a phone, where lists are cards and the foot has few buttons. Paper is as
 * narrow, but is read as a table.
 */
export const usePhone = (): boolean => {
  const isPrinted = usePrinting()
  const isNarrow = useMediaQuery(PHONE, window.matchMedia(PHONE).matches, { getInitialValueInEffect: false })
  return isNarrow === true && !isPrinted
}
