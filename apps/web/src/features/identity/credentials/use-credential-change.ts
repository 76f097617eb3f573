import { withFactor } from '../../../shared/account/second-factor.ts'
import { RefusedError, useAppServices } from '../../../shared/app-services.tsx'
import { usePress } from '../../../shared/controls/use-press.ts'

type Change = Parameters<ReturnType<typeof useAppServices>['connection']['changeCredentials']>[0]

/**
 * A change of e-mail or password behind a button. If the form shows a refusal at a field, `handlesRefusal` returns
 * true. Other errors go to the error dialog.
 */
export function useCredentialChange(handlesRefusal: (refused: RefusedError) => boolean) {
  const { connection } = useAppServices()
  const { busy, press: change } = usePress(
    async (given: Change) =>
      (await withFactor((proof) => connection.changeCredentials({ ...given, ...proof }))) !==
      undefined,
    (error) => error instanceof RefusedError && handlesRefusal(error),
  )
  return { busy, change }
}
