/** The program cannot start for a reason that the operator can correct. The message is one sentence, shown unchanged. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
