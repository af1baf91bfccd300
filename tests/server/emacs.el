;;; Drives Emacs and eglot: what is asked is in one JSON file, what was seen goes into another.  -*- lexical-binding: t -*-

(require 'json)
(require 'seq)
(require 'project)

(defun read-asked ()
  (let ((json-object-type 'alist) (json-array-type 'list) (json-key-type 'symbol))
    (json-read-file (getenv "SGF_LARK_ASKED"))))

(defvar asked (read-asked))
(defvar seen nil)

(defun of (file key) (alist-get key file))

(defun wait (what condition)
  (let ((end (+ (float-time) (/ (of asked 'milliseconds) 1000.0))))
    (while (not (funcall condition))
      (when (> (float-time) end) (error "Waited in vain for %s" what))
      (accept-process-output nil 0.05))))

(defun go (place)
  "Put point on the first place of a text, further by some characters."
  (goto-char (point-min))
  (search-forward (car place))
  (goto-char (+ (match-beginning 0) (cadr place))))

(defun findings ()
  (flymake-start)
  (flymake-diagnostics))

(defun edit (file)
  "Visit FILE anew, and wait for its findings."
  (when-let ((old (get-file-buffer (of file 'path))))
    (with-current-buffer old (set-buffer-modified-p nil) (kill-buffer)))
  (let ((coding-system-for-read 'utf-8))
    (find-file (of file 'path)))
  (unless (eglot-managed-p) (apply #'eglot--connect (eglot--guess-contact)))
  (wait (format "%s findings of %s" (of file 'count) (of file 'path))
        (lambda () (and (eglot-managed-p) (= (length (findings)) (of file 'count))))))

(defun place-of (at)
  "Return the line and the column of AT, both from 0; columns are characters."
  (save-excursion (goto-char at) (list (1- (line-number-at-pos)) (- at (line-beginning-position)))))

(defun whole () (buffer-substring-no-properties (point-min) (point-max)))

(defun run ()
  (let (found)
    (dolist (file (of asked 'files))
      (edit file)
      (push (cons (of file 'path)
                  (vconcat (mapcar (lambda (one)
                                     (vconcat (list (flymake-diagnostic-text one))
                                              (place-of (flymake-diagnostic-beg one))
                                              (place-of (flymake-diagnostic-end one))))
                                   (findings))))
            found))
    (push (cons 'findings found) seen))

  (let ((fix (of asked 'fix)) title)
    (edit (of fix 'file))
    (go (of fix 'place))
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_ actions &rest _)
                 (push (cons 'actions (vconcat (mapcar #'car actions))) seen)
                 (setq title (of fix 'title)))))
      (let ((last-nonmenu-event ?\r)) ; no mouse: it asks as on a terminal
        (eglot-code-actions (point) (line-end-position) nil t)))
    (push (cons 'fixed (whole)) seen))

  (edit (of asked 'format))
  (eglot-format-buffer)
  (push (cons 'formatted (whole)) seen)

  (let ((hover (of asked 'hover)))
    (edit (of hover 'file))
    (go (of hover 'place))
    (let (shown)
      (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
      (wait "the hover" (lambda () shown))
      (push (cons 'hover (substring-no-properties shown)) seen)))

  (let ((definition (of asked 'definition)))
    (edit (of definition 'file))
    (go (of definition 'place))
    (xref-find-definitions nil)
    (push (cons 'definition
                (vector (file-name-nondirectory buffer-file-name)
                        (buffer-substring-no-properties (line-beginning-position) (line-end-position))))
          seen)))

(require 'cl-lib)
(add-to-list 'load-path (of asked 'settings))
(setq enable-local-variables nil create-lockfiles nil make-backup-files nil
      eglot-events-buffer-size 100000 eglot-sync-connect 20 xref-prompt-for-identifier nil
      project-find-functions nil)
(condition-case problem
    (progn (require 'sgf-lark) (run))
  (error (push (cons 'problem (format "%S" problem)) seen)))
(let ((coding-system-for-write 'utf-8-unix))
  (with-temp-file (getenv "SGF_LARK_SEEN") (insert (json-encode seen))))
(kill-emacs)
