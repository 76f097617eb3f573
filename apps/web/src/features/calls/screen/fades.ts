/** Goes while nobody stirs; a finger or a key brings it back, so nothing under it is pressed unseen. */
export const fades =
  'transition-opacity duration-scene [[data-quiet]_&]:opacity-0 [[data-quiet]_&]:pointer-events-none!'
