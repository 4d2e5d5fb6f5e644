import { useMediaQuery } from '@mantine/hooks'

const PHONE = '(max-width: 48em)'

/** Whether the page is as narrow as a phone, where lists are cards and the foot has room for a few buttons. */
export const usePhone = (): boolean =>
  useMediaQuery(PHONE, window.matchMedia(PHONE).matches, { getInitialValueInEffect: false }) ?? false
