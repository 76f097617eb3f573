import { useState } from 'react'
import { withFactor } from '../../../shared/account/second-factor.ts'
import { RefusedError, useAppServices } from '../../../shared/app-services.tsx'

type Change = Parameters<ReturnType<typeof useAppServices>['connection']['changeCredentials']>[0]

/**
 * A change of e-mail or password behind a button. `handlesRefusal` returns true for a refusal that the form shows at a
 * field; other errors go to the error dialog.
 */
export function useCredentialChange(handlesRefusal: (refused: RefusedError) => boolean) {
  const { connection, report } = useAppServices()
  const [busy, setBusy] = useState(false)
  async function change(given: Change): Promise<boolean> {
    setBusy(true)
    try {
      const done = await withFactor((proof) => connection.changeCredentials({ ...given, ...proof }))
      return done !== undefined
    } catch (error) {
      if (!(error instanceof RefusedError) || !handlesRefusal(error)) report(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, change }
}
