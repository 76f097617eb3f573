/** The start cannot go on for a reason that the operator can mend. The message is one clear sentence, shown as it is. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
