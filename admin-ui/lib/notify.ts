import { notifications } from '@mantine/notifications'

/** Says that something has been done. Failures are shown where they happened, as long as that place stays. */
export const notify = (message: string): void => {
  notifications.show({ message })
}

/** Says what failed where the reader may have left meanwhile. It stays until somebody has read it. */
export const notifyFailure = (message: string): void => {
  notifications.show({ message, color: 'red', autoClose: false })
}
