/** Stands where a device or a passkey will. */
export function SkeletonCard() {
  return (
    <li class="card" aria-busy="true">
      <span class="skeleton" data-width="short" />
    </li>
  );
}
