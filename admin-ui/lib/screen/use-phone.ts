import { useMediaQuery } from '@mantine/hooks'

const PHONE = '(max-width: 48em)'

/** Returns whether the page is as narrow as a phone, where lists are cards and the foot has few buttons. */
export const usePhone = (): boolean =>
  useMediaQuery(PHONE, window.matchMedia(PHONE).matches, { getInitialValueInEffect: false }) ?? false
