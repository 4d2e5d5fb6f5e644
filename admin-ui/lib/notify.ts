import { notifications } from '@mantine/notifications'
import { say } from '../../src/words/say.ts'

/** Says that something has been done. Failures are shown where they happened, as long as that place stays. */
export const notify = (message: string): void => {
  notifications.show({ closeButtonProps: { 'aria-label': say('common.close') }, message })
}

/** Says what failed where the reader may have left meanwhile. It stays until somebody has read it. */
export const notifyFailure = (message: string): void => {
  notifications.show({
    closeButtonProps: { 'aria-label': say('common.close') },
    message,
    color: 'red',
    autoClose: false,
  })
}
